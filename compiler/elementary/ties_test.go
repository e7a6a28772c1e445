package elementary

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"github.com/go-yolk/yolk/compiler/ir"
)

// In float32 the functions are correctly rounded where a float64 value does not tell how, too.
func TestFloat32AtTies(t *testing.T) {
	text, err := os.ReadFile("../../ufunc/testdata/ties.tsv")
	if err != nil {
		t.Fatal(err)
	}
	defs := map[string]*ir.Def{}
	for _, d := range Defs() {
		defs[d.Name] = d
	}
	seen := map[string]bool{}
	for line := range strings.Lines(string(text)) {
		var name string
		var x, y uint32
		if n, _ := fmt.Sscanf(line, "%s\t%x\t%x", &name, &x, &y); n != 3 || defs[name] == nil {
			continue // operations of ir among them
		}
		seen[name] = true
		if got := defs[name].Float32([]float64{float64(math.Float32frombits(x))}); math.Float32bits(got) != y {
			t.Errorf("%s(%08x) = %08x, want %08x", name, x, math.Float32bits(got), y)
		}
	}
	if len(seen) < 22 {
		t.Errorf("%d functions", len(seen))
	}
	// Half of a subnormal number of odd significand is a tie; silu and gelu are x/2 and a bit.
	rng := rand.New(rand.NewPCG(53, 54))
	for range 1 << 14 {
		bits := 1 + rng.Uint32N(0x00ffffff)
		x := float64(math.Float32frombits(bits | rng.Uint32N(2)<<31))
		want := float32(math.Nextafter(x/2, math.Inf(1)))
		if want == 0 {
			want = float32(math.Copysign(0, x))
		}
		for _, d := range []*ir.Def{Silu, Gelu, GeluTanh} {
			if got := d.Float32([]float64{x}); math.Float32bits(got) != math.Float32bits(want) {
				t.Fatalf("%s(%x) = %x, want %x", d.Name, x, got, want)
			}
		}
	}
}
