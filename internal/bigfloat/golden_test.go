package bigfloat

import (
	"bufio"
	"bytes"
	"fmt"
	"math/big"
	"os"
	"slices"
	"strings"
	"testing"
)

// update needs MPFR, see TestUpdateGolden.
const (
	goldenFile = "testdata/digits.txt"
	goldenPrec = 200 // of the arguments; the values have 64 bits more
	goldenHead = "# function, arguments of 200 bits, value to 264 bits\n"
)

// goldenPoint is a line of the file; y is nil for functions of one argument.
type goldenPoint struct {
	name    string
	x, y, z *big.Float
}

func writeGolden(t *testing.T, points []goldenPoint) {
	t.Helper()
	var b bytes.Buffer
	b.WriteString(goldenHead)
	for _, p := range points {
		fmt.Fprintf(&b, "%s %s", p.name, text(p.x))
		if p.y != nil {
			fmt.Fprintf(&b, " %s", text(p.y))
		}
		fmt.Fprintf(&b, " %s\n", text(p.z))
	}
	if err := os.WriteFile(goldenFile, b.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
}

func readGolden(t *testing.T) []goldenPoint {
	t.Helper()
	file, err := os.Open(goldenFile)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	number := func(s string, prec uint) *big.Float {
		z, _, err := big.ParseFloat(s, 0, prec, big.ToNearestEven)
		if err != nil {
			t.Fatalf("%s: %q: %v", goldenFile, s, err)
		}
		return z
	}
	var points []goldenPoint
	lines := bufio.NewScanner(file)
	for lines.Scan() {
		fields := strings.Fields(lines.Text())
		if len(fields) == 0 || fields[0] == "#" {
			continue
		}
		n := len(fields)
		if n < 3 || n > 4 {
			t.Fatalf("%s: %d fields in %q", goldenFile, n, lines.Text())
		}
		p := goldenPoint{name: fields[0], x: number(fields[1], goldenPrec), z: number(fields[n-1], goldenPrec+64)}
		if n == 4 {
			p.y = number(fields[2], goldenPrec)
		}
		points = append(points, p)
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	return points
}

func TestGolden(t *testing.T) {
	points := readGolden(t)
	for _, f := range functions {
		n := 0
		for _, p := range points {
			if p.name != f.name {
				continue
			}
			n++
			checkULP(t, f.name, p.x, p.y, f.eval(t, p.x, p.y), p.z, guarded)
		}
		if n < 2*len(f.strata) {
			t.Errorf("%s: %d points in %s, want %d", f.name, n, goldenFile, 2*len(f.strata))
		}
	}
	for _, p := range points {
		if !slices.ContainsFunc(functions, func(f function) bool { return f.name == p.name }) {
			t.Errorf("%s: no function %q", goldenFile, p.name)
		}
	}
}
