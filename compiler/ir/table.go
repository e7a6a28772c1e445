package ir

import (
	"fmt"
	"math"
	"slices"
)

// MaxTable is the largest number of entries of a table: what two vector registers hold on x86-64-v4.
const MaxTable = 32

// Table is what a Lookup chooses from. The entry's number is in the bit pattern of the operand: the bits from Shift on,
// modulo the number of entries. So it costs nothing beyond the addition that rounds: x + 1.5·2^(p-1), with p the bits of a
// significand, is the integer nearest to x in the last bits. With a shift the leading bits of a significand choose. A table is
// plain data; two that are Equal are one to a function.
type Table struct {
	Shift   uint8
	Entries []float64 // a power of two of numbers, 2 to MaxTable, that the lookup's type holds exactly
}

// NewTable returns the table of some entries, chosen by the bits from shift on.
func NewTable(shift uint8, entries ...float64) *Table { return &Table{shift, entries} }

// At is the entry for an operand with the given bits. A NaN counts as the quiet NaN of ConstBits.
func (t *Table) At(typ Type, bits uint64) float64 {
	if x := BitsFloat(typ, bits); x != x {
		bits = ConstBits(typ, x)
	}
	return t.Entries[bits>>t.Shift&uint64(len(t.Entries)-1)]
}

// Of is At for an operand that typ rounds to.
func (t *Table) Of(typ Type, x float64) float64 { return t.At(typ, ConstBits(typ, x)) }

// Equal reports whether two tables have the same bits.
func (t *Table) Equal(u *Table) bool {
	return t == u || t.Shift == u.Shift && slices.EqualFunc(t.Entries, u.Entries, func(x, y float64) bool {
		return math.Float64bits(x) == math.Float64bits(y)
	})
}

// Range bounds the entries.
func (t *Table) Range() Fact {
	f := Fact{Lo: slices.Min(t.Entries), Hi: slices.Max(t.Entries), Integer: true, NonZero: !slices.Contains(t.Entries, 0)}
	for _, x := range t.Entries {
		f.Integer = f.Integer && x == math.Trunc(x)
	}
	return f
}

// Check reports what is wrong with a table for lookups of type typ.
func (t *Table) Check(typ Type) error {
	switch n := 0; {
	case t == nil:
		return fmt.Errorf("ir: no table")
	case len(t.Entries) < 2 || len(t.Entries) > MaxTable || len(t.Entries)&(len(t.Entries)-1) != 0:
		return fmt.Errorf("ir: a table has %d entries, not a power of two from 2 to %d", len(t.Entries), MaxTable)
	case int(t.Shift) >= 8*typ.Size():
		return fmt.Errorf("ir: a table is chosen by the bits from %d on, %v has %d", t.Shift, typ, 8*typ.Size())
	default:
		for n = range t.Entries {
			if x := t.Entries[n]; x != BitsFloat(typ, ConstBits(typ, x)) {
				return fmt.Errorf("ir: entry %d of a table is %v, which %v does not hold", n, x, typ)
			}
		}
	}
	return nil
}

// Table is the table of a node of f, nil if it is no Lookup.
func (f *Func) Table(n Node) *Table {
	if n.Op != Lookup {
		return nil
	}
	return f.Tables[n.Imm]
}

// Tabulate returns the index of a table in f.Tables, which it enters if need be.
func (f *Func) Tabulate(t *Table) uint64 {
	i := slices.IndexFunc(f.Tables, t.Equal)
	if i < 0 {
		i = len(f.Tables)
		f.Tables = append(f.Tables, t)
	}
	return uint64(i)
}

// Lookup adds the entry of t that the bits of v choose.
func (b *Builder) Lookup(t *Table, v Value) (Value, error) {
	n, err := b.typed(Node{Op: Lookup}, Invalid, []Value{v})
	if err == nil {
		err = t.Check(n.Type)
	}
	if err != nil {
		return 0, err
	}
	n.Imm = b.f.Tabulate(t)
	return b.add(n), nil
}
