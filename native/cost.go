package native

import "github.com/go-yolk/yolk/compiler/ir"

// costRow holds the few numbers a target's cost table is made of, in hundredths of a cycle per vector.
type costRow struct {
	pipe    ir.Cost    // an operation of the add, multiply or round pipes
	logic   ir.Cost    // a bitwise operation
	sign    ir.Cost    // copysign
	choose  ir.Cost    // select
	order   [2]ir.Cost // min, max
	convert ir.Cost    // float32 <-> float64
	div     [2]ir.Cost // float32, float64
	sqrt    [2]ir.Cost
	ldexp   ir.Cost
	logb    ir.Cost
	mant    ir.Cost
	minMag  ir.Cost
	lookup  [2]ir.Cost // float32, float64
	dear    ir.Cost    // from here on the arm of a choice is jumped over where no lane takes it
}

// The x86 rows: measured on Zen 5 (div, sqrt, convert, vscalef, vgetexp per instruction, the same at every width), or two
// operations a cycle times the number of instructions in the lowering; v4's ldexp is vscalef and the compare that guards a
// NaN. The arm64 row is that of a core with two 128-bit pipes (Arm Neoverse N2 Software Optimization Guide), not measured.
var (
	costsV4 = costRow{
		pipe: 50, logic: 25, sign: 25, choose: 50, order: [2]ir.Cost{125, 200}, convert: 70,
		div: [2]ir.Cost{248, 398}, sqrt: [2]ir.Cost{445, 746},
		ldexp: 100, logb: 50, mant: 50, minMag: 50, lookup: [2]ir.Cost{50, 100}, dear: dearArm,
	}
	costsV3 = costRow{
		pipe: 50, logic: 25, sign: 75, choose: 50, order: [2]ir.Cost{125, 200}, convert: 70,
		div: [2]ir.Cost{248, 398}, sqrt: [2]ir.Cost{445, 746},
		ldexp: 50 * ldexpOps, logb: 50 * logbOps, mant: 50 * mantOps, minMag: 125, lookup: [2]ir.Cost{200, 800}, dear: dearArm,
	}
	costsV2 = costRow{
		pipe: 50, logic: 25, sign: 75, choose: 75, order: [2]ir.Cost{125, 200}, convert: 70,
		div: [2]ir.Cost{248, 398}, sqrt: [2]ir.Cost{445, 746},
		ldexp: 50 * ldexpOps, logb: 50 * logbOps, mant: 50 * mantOps, minMag: 150, lookup: [2]ir.Cost{800, 400}, dear: dearArm,
	}
	costsArm64 = costRow{
		pipe: 50, logic: 50, sign: 50, choose: 50, order: [2]ir.Cost{50, 50}, convert: 100,
		div: [2]ir.Cost{500, 500}, sqrt: [2]ir.Cost{500, 700},
		ldexp: 50 * ldexpOps, logb: 50 * logbOps, mant: 50 * mantOps, minMag: 150, lookup: [2]ir.Cost{400, 400}, dear: dearArm,
	}
)

// scalarDivide is the cost of a 64-bit integer division: 10 cycles on Zen 5 and Neoverse N2 (their optimisation guides).
const scalarDivide ir.Cost = 1000

// share is what a sum of costs counts of each: a loop has 3.4 operations in a cycle, of which two can be of one kind.
func share(c ir.Cost) ir.Cost { return c * 3 / 5 }

func (c costRow) table(t Target) *ir.CostTable {
	table := ir.Uniform(ir.InfiniteCost)
	set := func(cost ir.Cost, ops ...ir.Op) {
		for _, op := range ops {
			table.Set(op, share(cost))
		}
	}
	for _, op := range []ir.Op{ir.Param, ir.Const, ir.Real, ir.Empty, ir.Append, ir.Loop, ir.Proj} { // a loop costs what its body does
		table.Set(op, 1)
	}
	set(c.pipe, ir.Add, ir.Sub, ir.Mul, ir.Floor, ir.Ceil, ir.Trunc, ir.Rint, ir.Lt, ir.Le, ir.Eq, ir.Ne)
	if t.FMA {
		set(c.pipe, ir.FMA)
	}
	set(c.logic, ir.Neg, ir.Abs, ir.And, ir.Or, ir.Xor, ir.AndNot, ir.Not)
	set(2*c.pipe, ir.Shl, ir.Shr) // with the count's limit
	set(c.pipe, ir.ReverseBytes)  // a look-up in a register, as of the halves of bytes below
	set(6*c.pipe, ir.RotateLeft, ir.Reverse, ir.OnesCount)
	set(8*c.pipe, ir.LeadingZeros, ir.TrailingZeros)
	set(c.sign, ir.Copysign)
	set(c.choose, ir.Select)
	set(c.order[0], ir.Min)
	set(c.order[1], ir.Max)
	set(c.convert, ir.Convert)
	set(c.ldexp, ir.Ldexp)
	set(c.logb, ir.Logb)
	set(c.mant, ir.Mant)
	set(c.minMag, ir.MinMag)
	for i, typ := range []ir.Type{ir.Float32, ir.Float64} {
		table[ir.Div][typ] = share(c.div[i])
		table[ir.Lookup][typ] = share(c.lookup[i])
		table[ir.Sqrt][typ] = share(c.sqrt[i])
	}
	for typ := ir.Int8; typ <= ir.Uint64; typ++ {
		// A float quotient with its conversions and guards, or one scalar division for each lane.
		quotient := c.div[0] + 4*c.convert + 6*c.pipe
		switch typ.Size() {
		case 4:
			quotient = 2*c.div[1] + 8*c.convert + 6*c.pipe
		case 8:
			quotient = scalarDivide * ir.Cost(t.VectorBits/64)
		}
		table[ir.Div][typ], table[ir.Rem][typ] = share(quotient), share(quotient+2*c.pipe)
	}
	return table
}

// What an element takes at least. Both bounds are for a core of today's servers, within a factor of two.
const (
	cyclesPerNanosecond = 3.5
	bytesPerNanosecond  = 60 // read and written, in the last-level cache
)

// Nanoseconds estimates how long a program takes for an element on one core, from the target's cost table: for decisions
// on how to divide work, and for no other.
func (t Target) Nanoseconds(f *ir.Func) float64 {
	table := t.Costs()
	var cost func(f *ir.Func) ir.Cost
	cost = func(f *ir.Func) (sum ir.Cost) {
		for _, n := range f.Nodes {
			if body := f.Body(n); body != nil {
				sum = sum.Plus(cost(body).Times(f.Trips(n)))
			} else if c := table[n.Op][n.Type]; c != ir.InfiniteCost {
				sum = sum.Plus(c)
			}
		}
		return sum
	}
	bytes := 0
	for _, p := range f.Params {
		bytes += formatOf(p.Type).size()
	}
	for _, r := range f.Results {
		bytes += formatOf(f.Nodes[r].Type).size()
	}
	return max(float64(cost(f))/100/float64(lanesOf(f, t))/cyclesPerNanosecond, float64(bytes)/bytesPerNanosecond)
}
