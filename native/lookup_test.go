package native

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/go-yolk/yolk/compiler/ir"
)

// randomTable has entries that typ holds, -0 and infinities among them.
func randomTable(r *rand.Rand, typ ir.Type) *ir.Table {
	special := []float64{0, math.Copysign(0, -1), 1, math.Inf(1), math.Inf(-1), 0x1p-140}
	t := ir.NewTable(uint8(r.IntN(8 * typ.Size())))
	for range 2 << r.IntN(5) {
		x := r.NormFloat64()
		if r.IntN(8) == 0 {
			x = special[r.IntN(len(special))]
		}
		t.Entries = append(t.Entries, ir.BitsFloat(typ, ir.ConstBits(typ, x)))
	}
	return t
}

// Tables of every size, chosen by any bits, also by those of a NaN: alone, beside the other type, which halves the lanes of
// float32, and where the NaN hides the entry.
func TestLookup(t *testing.T) {
	const tables = 24
	for _, target := range runnable(t) {
		for _, mixed := range []bool{false, true} {
			for _, typ := range []ir.Type{ir.Float32, ir.Float64} {
				t.Run(fmt.Sprintf("%s/%v/mixed=%v", target.Name, typ, mixed), func(t *testing.T) {
					r := rand.New(rand.NewPCG(5, 6))
					b := ir.NewBuilder("lookup")
					x := b.Param("x", typ, ir.Unknown)
					var list []*ir.Table
					for range tables {
						table := randomTable(r, typ)
						v, err := b.Lookup(table, x)
						if err != nil {
							t.Fatal(err)
						}
						list = append(list, table)
						b.Return(v)
						b.Return(b.Must(ir.Add, v, x))
					}
					if mixed {
						other := ir.Float32 + ir.Float64 - typ
						v, err := b.Emit(ir.Convert, other, x)
						if err != nil {
							t.Fatal(err)
						}
						b.Return(v)
					}
					f := b.Func()
					xs := inputs(typ, 2000, r)[0]
					operands := []view{column(typ, xs)}
					for _, v := range f.Results {
						operands = append(operands, column(f.Nodes[v].Type, make([]uint64, len(xs))))
					}
					call(t, build(t, f, 1, target), []int{len(xs)}, operands...)
					for i, table := range list {
						for j, bits := range xs {
							want := table.At(typ, bits)
							for k, w := range []float64{want, want + ir.BitsFloat(typ, bits)} {
								got := load(typ, operands[1+2*i+k].data, j*typ.Size())
								if !same(typ, got, ir.ConstBits(typ, w)) {
									t.Fatalf("table %d %+v at %#x: %v, want %v", i, *table, bits, ir.BitsFloat(typ, got), w)
								}
							}
						}
					}
				})
			}
		}
	}
}

// An entry that a NaN may choose shows unless everything it goes into is NaN too.
func TestExposed(t *testing.T) {
	table := ir.NewTable(0, 1, 2, 3, 4)
	for _, c := range []struct {
		name string
		use  func(b *ir.Builder, x, entry ir.Value) ir.Value
		want bool
	}{
		{"alone", func(b *ir.Builder, x, entry ir.Value) ir.Value { return entry }, true},
		{"with its operand", func(b *ir.Builder, x, entry ir.Value) ir.Value { return b.Must(ir.Mul, x, entry) }, false},
		{"scaled by it", func(b *ir.Builder, x, entry ir.Value) ir.Value { return b.Must(ir.Ldexp, entry, b.Must(ir.Neg, x)) }, false},
		{"compared", func(b *ir.Builder, x, entry ir.Value) ir.Value {
			return b.Must(ir.Select, b.Must(ir.Lt, b.Must(ir.Add, x, entry), entry), x, b.Const(ir.Float32, 1))
		}, true},
		{"chosen on one side", func(b *ir.Builder, x, entry ir.Value) ir.Value {
			return b.Must(ir.Select, b.Must(ir.Lt, x, x), b.Must(ir.Mul, x, entry), entry)
		}, true},
		{"beside a clamp that keeps NaN", func(b *ir.Builder, x, entry ir.Value) ir.Value {
			one := b.Const(ir.Float32, 1)
			return b.Must(ir.Add, entry, b.Must(ir.Select, b.Must(ir.Lt, x, one), one, x))
		}, false},
		{"beside a clamp that does not", func(b *ir.Builder, x, entry ir.Value) ir.Value {
			one := b.Const(ir.Float32, 1)
			return b.Must(ir.Add, entry, b.Must(ir.Select, b.Must(ir.Lt, x, one), x, one))
		}, true},
		{"behind the smaller magnitude", func(b *ir.Builder, x, entry ir.Value) ir.Value {
			return b.Must(ir.Mul, entry, b.Must(ir.MinMag, x, b.Const(ir.Float32, 1)))
		}, true},
	} {
		b := ir.NewBuilder(c.name)
		x := b.Param("x", ir.Float32, ir.Unknown)
		entry, err := b.Lookup(table, x)
		if err != nil {
			t.Fatal(err)
		}
		b.Return(c.use(b, x, entry))
		f := b.Func()
		if got := exposed(f, f.Nodes[entry], x); got != c.want {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

// A product with an entry of 1 or -1 is a change of sign.
func TestSigned(t *testing.T) {
	for _, target := range runnable(t) {
		for _, typ := range []ir.Type{ir.Float32, ir.Float64} {
			t.Run(target.Name+"/"+typ.String(), func(t *testing.T) {
				b := ir.NewBuilder("signed")
				x, by := b.Param("x", typ, ir.Unknown), b.Param("by", typ, ir.Unknown)
				twice := b.Must(ir.Add, x, x)
				var list []*ir.Table
				for _, shift := range []int{0, 3, 8*typ.Size() - 1} {
					for _, one := range []float64{1, -1} {
						table := ir.NewTable(uint8(shift), one, -one)
						entry, err := b.Lookup(table, by)
						if err != nil {
							t.Fatal(err)
						}
						list = append(list, table)
						b.Return(b.Must(ir.Mul, twice, entry))
						b.Return(b.Must(ir.Mul, entry, x))
						b.Return(b.Must(ir.Add, b.Must(ir.Mul, entry, twice), by)) // where it does not show which entry a NaN chooses
					}
				}
				f := b.Func()
				columns := inputs(typ, 2000, rand.New(rand.NewPCG(7, 8)))
				n := len(columns[0])
				operands := []view{column(typ, columns[0]), column(typ, columns[1])}
				for range f.Results {
					operands = append(operands, column(typ, make([]uint64, n)))
				}
				call(t, build(t, f, 1, target), []int{n}, operands...)
				for i, table := range list {
					for j := range n {
						x := ir.BitsFloat(typ, columns[0][j])
						twice := ir.BitsFloat(typ, ir.ConstBits(typ, x+x))
						entry := table.At(typ, columns[1][j])
						for k, v := range []float64{twice * entry, x * entry, twice*entry + ir.BitsFloat(typ, columns[1][j])} {
							got, want := load(typ, operands[2+3*i+k].data, j*typ.Size()), ir.ConstBits(typ, v)
							if !same(typ, got, want) {
								t.Fatalf("%v times entry of %x: %x, want %x", v, columns[1][j], got, want)
							}
						}
					}
				}
			})
		}
	}
}
