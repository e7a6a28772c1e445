package ir

import "math"

// F16 is an element of type Float16: the bits of an IEEE 754 binary16.
type F16 uint16

// ToF16 rounds x to the nearest F16, ties to even.
func ToF16(x float32) F16 { return F16(Store(Float16, x)) }

// Float32 is the value, exactly.
func (x F16) Float32() float32 { return Unstore(Float16, uint16(x)) }

// BF16 is an element of type BFloat16: the upper half of a float32.
type BF16 uint16

// ToBF16 rounds x to the nearest BF16, ties to even.
func ToBF16(x float32) BF16 { return BF16(Store(BFloat16, x)) }

// Float32 is the value, exactly.
func (x BF16) Float32() float32 { return Unstore(BFloat16, uint16(x)) }

// Unstore is the value of the bits of a stored type, which float32 holds. A NaN becomes quiet and keeps its sign and payload.
func Unstore(t Type, bits uint16) float32 {
	const quiet = 1 << 22
	b := uint32(bits)
	if t == BFloat16 {
		b <<= 16
		if b&0x7fffffff > 0x7f800000 {
			b |= quiet
		}
		return math.Float32frombits(b)
	}
	sign, exponent, fraction := b>>15<<31, b>>10&0x1f, b&0x3ff
	switch exponent {
	case 0x1f:
		b = sign | 0x7f800000 | fraction<<13
		if fraction != 0 {
			b |= quiet
		}
		return math.Float32frombits(b)
	case 0:
		return math.Float32frombits(sign | math.Float32bits(float32(fraction)*0x1p-24))
	}
	return math.Float32frombits(sign | (exponent+127-15)<<23 | fraction<<13)
}

// Store is the bits of x in a stored type, rounded to the nearest, ties to even. A NaN stays one, quiet, with what its payload's upper
// bits are.
func Store(t Type, x float32) uint16 {
	b := math.Float32bits(x)
	if t == BFloat16 {
		if x != x {
			return uint16(b>>16) | 1<<6
		}
		return uint16((b + 0x7fff + b>>16&1) >> 16)
	}
	sign := uint16(b >> 16 & 0x8000)
	abs := math.Float32frombits(b &^ (1 << 31))
	switch {
	case x != x:
		return sign | 0x7e00 | uint16(b>>13&0x3ff)
	case abs >= 65520: // halfway to 2^16 and beyond
		return sign | 0x7c00
	case abs < 0x1p-14: // adding 2^-1 leaves a multiple of 2^-24
		return sign | uint16(math.Float32bits(abs+0.5)-math.Float32bits(0.5))
	}
	b = math.Float32bits(abs) - (127-15)<<23
	return sign | uint16((b+0xfff+b>>13&1)>>13)
}
