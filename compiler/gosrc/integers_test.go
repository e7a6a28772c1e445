package gosrc

import (
	"math"
	"math/bits"
	"testing"
)

func addInt8(x, y int8) int8                          { return x + y*3 - -x }
func quotient[T int8 | int64 | uint32](x, y T) (T, T) { return x / y, x % y }
func bitOps(x, y uint16) uint16                       { return x&y | x ^ y&^3 + ^x }
func shiftBy(x int32, n uint8) (int32, int32) {
	x += 5
	return x << n, x >> n
}
func shiftWide(x uint8, n uint64) uint8 { return x<<n | x>>3 | 1<<(n&7) }
func shiftSigned(x int64) int64         { return x<<63 + x>>63 + x>>3 }
func toFloat(x int64, y uint64) (float32, float64) {
	return float32(x) + float32(y), float64(x) * float64(y)
}
func toInt(x float32, y float64) (int8, uint16, int64, uint64) {
	return int8(x), uint16(y), int64(x), uint64(y)
}
func widths(x int8, y uint32) (uint64, int16, int8) { return uint64(x), int16(y), int8(y) }
func compared(x, y float32) bool                    { return x < y || x >= 2*y && !(x == y) }
func comparedInts(x, y uint8) (bool, bool)          { return x > y == (x != 3), x <= y }
func guardedQuotient(x, y int32) bool               { return y != 0 && x/y > 2 || y == 0 || x%y == 1 }
func loopCounter(x float32) float32 {
	n := 3
	n *= 2
	n--
	return x * float32(n)
}
func bools(x, y bool) bool { return x != y && !(x == y) || true && x }
func smaller(x, y, z int16) int16 {
	return min(x, y, max(z, -3))
}
func bigConstants(x uint64) uint64 { return x ^ 0xfedcba9876543210 + math.MaxInt64 }

// Kernels of integers and bools are what Go computes, panics included.
func TestIntegerKernels(t *testing.T) {
	for name, fn := range map[string]any{
		"addInt8": addInt8, "quotient8": quotient[int8], "quotient64": quotient[int64], "quotientU32": quotient[uint32], "bitOps": bitOps,
		"shiftBy": shiftBy, "shiftWide": shiftWide, "shiftSigned": shiftSigned, "toFloat": toFloat, "toInt": toInt, "widths": widths,
		"compared": compared, "comparedInts": comparedInts, "guardedQuotient": guardedQuotient, "loopCounter": loopCounter, "bools": bools,
		"smaller": smaller, "bigConstants": bigConstants, "bitMoves": bitMoves, "wideSums": wideSums, "bitCounts": bitCounts,
	} {
		t.Run(name, func(t *testing.T) {
			f, err := Load(fn, Options{})
			if err != nil {
				t.Fatal(err)
			}
			if err := Compare(f, fn, evaluator(t, f)); err != nil {
				t.Errorf("%v\n%v", err, f)
			}
		})
	}
}

func bitCounts(x uint32, y uint8, z uint64) (int64, int32, uint8, float32) {
	return int64(bits.OnesCount32(x) - bits.Len64(z)), int32(bits.LeadingZeros32(x)), uint8(bits.TrailingZeros8(y)) + uint8(bits.LeadingZeros8(y)), float32(bits.Len16(uint16(z)))
}
func bitMoves(x uint32, y uint16, z uint64, k int8) (uint32, uint16, uint64) {
	return bits.RotateLeft32(x, int(k)) ^ bits.Reverse32(x), bits.ReverseBytes16(y) + bits.RotateLeft16(y, -3), bits.RotateLeft64(z, int(k)<<8) ^ bits.Reverse64(bits.ReverseBytes64(z))
}
func wideSums(x, y, z uint64, u, v uint32) (uint64, uint64, uint64, uint64, uint64, uint64, uint32) {
	sum, carry := bits.Add64(x, y, z&1)
	difference, borrow := bits.Sub(uint(x), uint(y), uint(z&1))
	hi, lo := bits.Mul64(x, y)
	high, low := bits.Mul32(u, v)
	return sum, carry, uint64(difference), uint64(borrow), hi, lo, high ^ low
}
