package operand

// maxWork limits the search of one equation, in nodes of some 5 ns. Matrices and
// their windows need a handful; a few hundred are needed only by vectors whose
// increments have a large least common multiple.
const maxWork = 4096

// An equation asks for integers x in given ranges with lo <= sum c*x <= hi.
// Coefficients are kept positive, distinct and in descending order, and every x
// starts at 0.
type equation struct {
	n    int
	c    [2 * MaxDims]int
	u    [2 * MaxDims]int   // largest x
	max  [2*MaxDims + 1]int // sum of c*u from here on
	gcd  [2*MaxDims + 1]int // of c from here on
	base int                // smallest value of the sum as it was given
	work int
}

// add brings in a term c*x with lo <= x <= hi.
func (e *equation) add(c, lo, hi int) {
	e.base += min(c*lo, c*hi)
	if c < 0 {
		c = -c
	}
	if c == 0 || lo == hi {
		return
	}
	k := 0
	for k < e.n && e.c[k] > c {
		k++
	}
	if k < e.n && e.c[k] == c { // x + y takes every value from 0 to u + v
		e.u[k] += hi - lo
		return
	}
	copy(e.c[k+1:], e.c[k:e.n])
	copy(e.u[k+1:], e.u[k:e.n])
	e.c[k], e.u[k] = c, hi-lo
	e.n++
}

// solvable reports whether there is a solution. It also says yes when the work
// limit is reached.
func (e *equation) solvable(lo, hi int) bool {
	for k := e.n - 1; k >= 0; k-- {
		e.max[k] = e.max[k+1] + e.c[k]*e.u[k]
		e.gcd[k] = gcd(e.c[k], e.gcd[k+1])
	}
	e.work = maxWork
	return e.search(0, lo-e.base, hi-e.base)
}

func (e *equation) search(k, lo, hi int) bool {
	lo, hi = max(lo, 0), min(hi, e.max[k])
	if lo > hi {
		return false
	}
	if k == e.n {
		return true
	}
	if hi/e.gcd[k]*e.gcd[k] < lo { // no multiple of the gcd in reach
		return false
	}
	if k == e.n-1 {
		return true
	}
	if e.work--; e.work < 0 {
		return true
	}
	c := e.c[k]
	first := 0
	if rest := lo - e.max[k+1]; rest > 0 {
		first = (rest + c - 1) / c
	}
	for x := first; x <= min(e.u[k], hi/c); x++ {
		if e.search(k+1, lo-c*x, hi-c*x) {
			return true
		}
	}
	return false
}

func gcd(a, b int) int {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

// intersects reports whether v and w, neither of them empty, have a byte in common.
func intersects(v, w *nest) bool {
	vlo, vhi := v.extent()
	wlo, whi := w.extent()
	// Both addresses are of objects in use, which do not move.
	d := int(uintptr(v.base) - uintptr(w.base))
	if d+vhi <= wlo || whi <= d+vlo {
		return false
	}
	e := equation{base: d}
	for k := range v.dims {
		e.add(v.stride[k], 0, v.count[k]-1)
	}
	for k := range w.dims {
		e.add(-w.stride[k], 0, w.count[k]-1)
	}
	return e.solvable(1-v.size, w.size-1)
}

// repeats reports whether two iterations of v, which is not empty, touch a common byte.
func (v *nest) repeats() bool {
	// The indices of the two iterations agree before loop k and differ in it.
	for k := range v.dims {
		if v.count[k] == 1 {
			continue
		}
		var e equation
		e.add(v.stride[k], 1, v.count[k]-1)
		for j := k + 1; j < v.dims; j++ {
			e.add(v.stride[j], 1-v.count[j], v.count[j]-1)
		}
		if e.solvable(1-v.size, v.size-1) {
			return true
		}
	}
	return false
}

// coincides reports whether v and w, which have the same counts, are at the same
// place in every iteration.
func coincides(v, w *nest) bool {
	return v.base == w.base && v.size == w.size && v.stride == w.stride
}
