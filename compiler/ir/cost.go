package ir

import "math"

// Cost is what a node costs. The unit is a hundredth of a cycle per vector, reciprocal throughput, for a machine's table;
// models that count operations use any other. Additions saturate at InfiniteCost.
type Cost uint32

// InfiniteCost says that an operation cannot be had.
const InfiniteCost Cost = math.MaxUint32

// Plus adds two costs and saturates.
func (c Cost) Plus(d Cost) Cost {
	if s := c + d; s >= c {
		return s
	}
	return InfiniteCost
}

// CostTable gives the cost of every operation for results of every type. The zero table makes everything free; a
// missing operation is InfiniteCost.
type CostTable [NumOps][NumTypes]Cost

// Uniform is the table in which every operation costs the same.
func Uniform(c Cost) *CostTable {
	var t CostTable
	for op := range t {
		for typ := range t[op] {
			t[op][typ] = c
		}
	}
	return &t
}

// Of is the cost of an operation whose result has type typ; d is the definition of a call, otherwise nil. A definition's
// own cost stands in place of the table's entry, unless that is infinite: a machine has no instruction for a user's
// operation, whatever its user says.
func (t *CostTable) Of(op Op, typ Type, d *Def) Cost {
	c := t[op][typ]
	if d != nil && d.Cost != 0 && c != InfiniteCost {
		return d.Cost
	}
	return c
}

// Set sets the cost of op for all types and returns the table.
func (t *CostTable) Set(op Op, c Cost) *CostTable {
	for typ := range t[op] {
		t[op][typ] = c
	}
	return t
}
