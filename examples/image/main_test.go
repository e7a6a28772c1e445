package main

import "testing"

func TestFrame(t *testing.T) {
	const rows, cols = 9, 21
	free := func(i, j int) bool { return (i+j)%3 != 0 }
	out, most, err := frame(rows, cols, free)
	if err != nil {
		t.Fatal(err)
	}
	a, b, greatest := picture(rows, cols, cols, 1), picture(rows, cols, cols, 0.25), uint8(0)
	for i := range rows {
		for j := range cols {
			want := uint8(0)
			if free(i, j) {
				want = blend(a.Data[i*cols+j], b.Data[i*cols+j], 0.5)
			}
			if got := out[i*cols+j]; got != want && got != want+1 && got != want-1 {
				t.Errorf("pixel %d, %d is %d, want %d", i, j, got, want)
			}
			greatest = max(greatest, out[i*cols+j])
		}
	}
	if most != greatest {
		t.Errorf("the brightest is %d, want %d", most, greatest)
	}
}
