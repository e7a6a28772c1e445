package ir

import (
	"fmt"
	"math"
)

// Type is the type of a value.
type Type uint8

// The types. Invalid is the zero value and never the type of a verified node. Float16 and BFloat16 are only stored: nothing but
// Convert, to and from Float32, takes or makes them.
const (
	Invalid Type = iota
	Bool
	Float32
	Float64
	Int8
	Int16
	Int32
	Int64
	Uint8
	Uint16
	Uint32
	Uint64
	Float16  // IEEE 754 binary16
	BFloat16 // the upper half of a Float32

	Tuple // of the values of a loop's variables; no function takes or returns one

	NumTypes = iota
)

// typeInfo is a type's row.
type typeInfo struct {
	name   string // in the text form
	goName string // Go's name
	size   int    // of an element in memory, in bytes
}

var typeInfos = [NumTypes]typeInfo{
	Invalid:  {"invalid", "invalid", 1},
	Bool:     {"bool", "bool", 1},
	Float32:  {"f32", "float32", 4},
	Float64:  {"f64", "float64", 8},
	Int8:     {"i8", "int8", 1},
	Int16:    {"i16", "int16", 2},
	Int32:    {"i32", "int32", 4},
	Int64:    {"i64", "int64", 8},
	Uint8:    {"u8", "uint8", 1},
	Uint16:   {"u16", "uint16", 2},
	Uint32:   {"u32", "uint32", 4},
	Uint64:   {"u64", "uint64", 8},
	Float16:  {"f16", "float16", 2},
	BFloat16: {"bf16", "bfloat16", 2},
	Tuple:    {"tuple", "tuple", 1},
}

// String returns the name used in the text form: bool, f32, i8, ...
func (t Type) String() string {
	if int(t) < NumTypes {
		return typeInfos[t].name
	}
	return fmt.Sprintf("type(%d)", uint8(t))
}

// GoName is the name of the type in Go: float32, int8; that of the two stored types, which Go lacks, is float16 and bfloat16.
func (t Type) GoName() string {
	if int(t) < NumTypes {
		return typeInfos[t].goName
	}
	return t.String()
}

// ParseType is the inverse of String.
func ParseType(s string) (Type, error) {
	for t, info := range typeInfos {
		if info.name == s && Type(t) != Invalid {
			return Type(t), nil
		}
	}
	return Invalid, fmt.Errorf("ir: unknown type %q", s)
}

// IsFloat reports whether t is a floating-point type that is computed in.
func (t Type) IsFloat() bool { return t == Float32 || t == Float64 }

// IsInteger reports whether t is an integer type.
func (t Type) IsInteger() bool { return Int8 <= t && t <= Uint64 }

// IsSigned reports whether t is a signed integer type.
func (t Type) IsSigned() bool { return Int8 <= t && t <= Int64 }

// IsNumber reports whether arithmetic is done in t.
func (t Type) IsNumber() bool { return t.IsFloat() || t.IsInteger() }

// Stored reports whether t exists in memory alone.
func (t Type) Stored() bool { return t == Float16 || t == BFloat16 }

// Size is the size of one element in memory, in bytes.
func (t Type) Size() int {
	if int(t) < NumTypes {
		return typeInfos[t].size
	}
	return 1
}

// Wrap brings the low bits of x into the range of the integer type t, as Go's conversions between integers do: the rest of
// the result repeats the sign of a signed type and is zero for an unsigned one.
func (t Type) Wrap(x int64) int64 {
	shift := 64 - 8*t.Size()
	if t.IsSigned() {
		return x << shift >> shift
	}
	return int64(uint64(x) << shift >> shift)
}

// Range is the least and the greatest number of the integer type t, as float64: the greatest of 64 bits are rounded up.
func (t Type) Range() (lo, hi float64) {
	bits := 8 * t.Size()
	if t.IsSigned() {
		return -math.Ldexp(1, bits-1), math.Ldexp(1, bits-1) - ulpBelow(bits-1)
	}
	return 0, math.Ldexp(1, bits) - ulpBelow(bits)
}

// ulpBelow is 1 where float64 holds 2^bits - 1, otherwise 0.
func ulpBelow(bits int) float64 {
	if bits <= 53 {
		return 1
	}
	return 0
}

// FromFloat converts x to the integer type t: towards zero as in Go, and where Go leaves the result to the machine, the nearest number
// of t, 0 for NaN.
func (t Type) FromFloat(x float64) int64 {
	bits := 8 * t.Size()
	switch {
	case x != x:
		return 0
	case !t.IsSigned():
		if x >= math.Ldexp(1, bits) {
			return t.Wrap(-1)
		}
		if x < 0 {
			return 0
		}
		return t.Wrap(int64(uint64(x)))
	case x >= math.Ldexp(1, bits-1):
		return math.MaxInt64 >> (64 - bits)
	case x < -math.Ldexp(1, bits-1):
		return math.MinInt64 >> (64 - bits)
	}
	return int64(x)
}
