package ir_test

import (
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/go-yolk/yolk/compiler/ir"
)

func TestTableChooses(t *testing.T) {
	table := ir.NewTable(0, 10, 11, 12, 13)
	const magic = 0x1.8p23 // an integer is in the last bits of what it is added to
	for k, want := range map[float64]float64{0: 10, 1: 11, 3: 13, 4: 10, -1: 13, 1001: 11} {
		if got := table.Of(ir.Float32, magic+k); got != want {
			t.Errorf("entry %v is %v, want %v", k, got, want)
		}
	}
	leading := ir.NewTable(22, 1, 1.5)
	for x, want := range map[float64]float64{1: 1, 1.49: 1, 1.5: 1.5, 1.99: 1.5, 2.5: 1, 3.5: 1.5} {
		if got := leading.Of(ir.Float32, x); got != want {
			t.Errorf("the leading bit of %v chooses %v, want %v", x, got, want)
		}
	}
	if a, b := table.At(ir.Float32, 0x7fc00001), table.Of(ir.Float32, math.NaN()); a != b {
		t.Errorf("one NaN chooses %v, another %v", a, b)
	}
}

func TestTablesAreShared(t *testing.T) {
	b := ir.NewBuilder("f")
	x := b.Param("x", ir.Float32, ir.Unknown)
	first, _ := b.Lookup(ir.NewTable(3, 1, 0), x)
	again, _ := b.Lookup(ir.NewTable(3, 1, 0), x)
	other, _ := b.Lookup(ir.NewTable(3, 1, math.Copysign(0, -1)), x)
	if first != again || first == other {
		t.Errorf("equal tables: v%d and v%d, different ones: v%d and v%d", first, again, first, other)
	}
	b.Return(b.Must(ir.Add, b.Pin(first), other))
	f := b.Func()
	if err := ir.Verify(f); err != nil {
		t.Fatal(err)
	}
	g, err := ir.Parse("printed", f.String())
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(f.String(), g.String()); diff != "" {
		t.Errorf("printed and parsed:\n%s", diff)
	}
	if want := "t1 = table 3 0x1p+00 -0x0p+00"; !strings.Contains(f.String(), want) {
		t.Errorf("no %q in\n%s", want, f)
	}
}

func TestBadTables(t *testing.T) {
	for want, table := range map[string]*ir.Table{
		"3 entries":    ir.NewTable(0, 1, 2, 3),
		"1 entries":    ir.NewTable(0, 1),
		"64 entries":   ir.NewTable(0, make([]float64, 64)...),
		"bits from 32": ir.NewTable(32, 1, 2),
		"is NaN":       ir.NewTable(0, 1, math.NaN()),
		"is 0.1":       ir.NewTable(0, 1, 0.1),
		"no table":     nil,
	} {
		b := ir.NewBuilder("f")
		x := b.Param("x", ir.Float32, ir.Unknown)
		if _, err := b.Lookup(table, x); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
		f := &ir.Func{Name: "f", Params: []ir.Parameter{{Name: "x", Type: ir.Float32, Fact: ir.Unknown}}, Nodes: []ir.Node{
			{Op: ir.Param, Type: ir.Float32}, {Op: ir.Lookup, Type: ir.Float32},
		}, Tables: []*ir.Table{table}, Results: []ir.Value{1}}
		if err := ir.Verify(f); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("verify: %v, want %q", err, want)
		}
	}
	for text, want := range map[string]string{
		"\tt1 = table 0 1 2\n":                              "want t0",
		"\tt0 = table x 1 2\n":                              "lowest bit",
		"\tt0 = table 0 1 2\n\tt1 = table 0 1 2\n":          "there already",
		"\tt0 = table 0 1 nan(0x7ff8000000000000)\n":        "NaN",
		"\tv0 = param f32 \"x\"\n\tv1 = lookup f32 t0 v0\n": "want a table that is defined",
	} {
		_, err := ir.Parse("f", "func \"f\"(\"x\" f32) {\n"+text+"\tv0 = param f32 \"x\"\n\treturn v0\n}\n")
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, want %q", text, err, want)
		}
	}
	for _, text := range []string{"lookup f32 t1 v0", "lookup f32 v0"} {
		_, err := ir.Parse("f", "func \"f\"(\"x\" f32) {\n\tt0 = table 0 1 2\n\tv0 = param f32 \"x\"\n\tv1 = "+text+"\n\treturn v1\n}\n")
		if want := "f:4:18: want a table that is defined"; err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, want %q", text, err, want)
		}
	}
	b := ir.NewBuilder("f")
	if _, err := b.Emit(ir.Lookup, ir.Invalid, b.Param("x", ir.Float32, ir.Unknown)); err == nil {
		t.Error("a lookup without a table is emitted")
	}
}
