package ir

import "fmt"

// Type is the type of a value.
type Type uint8

// The types. Invalid is the zero value and never the type of a verified node.
const (
	Invalid Type = iota
	Bool
	Float32
	Float64
	Tuple // of the values of a loop's variables; no function takes or returns one
)

var typeNames = [...]string{Invalid: "invalid", Bool: "bool", Float32: "f32", Float64: "f64", Tuple: "tuple"}

// String returns the name used in the text form: bool, f32, f64.
func (t Type) String() string {
	if int(t) < len(typeNames) {
		return typeNames[t]
	}
	return fmt.Sprintf("type(%d)", uint8(t))
}

// ParseType is the inverse of String.
func ParseType(s string) (Type, error) {
	for t, name := range typeNames {
		if name == s && Type(t) != Invalid {
			return Type(t), nil
		}
	}
	return Invalid, fmt.Errorf("ir: unknown type %q", s)
}

// IsFloat reports whether t is a floating-point type.
func (t Type) IsFloat() bool { return t == Float32 || t == Float64 }

// Size is the size of one element in memory, in bytes.
func (t Type) Size() int {
	switch t {
	case Float32:
		return 4
	case Float64:
		return 8
	}
	return 1
}
