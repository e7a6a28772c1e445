package minimax

import (
	"fmt"
	"math/big"
	"slices"
)

// A rational problem is solved in t = x^step, after a factor x^lowest has been
// taken out: with N = m+n+2 reference points t_i, the wanted values
// P(t_i) = (f_i - (-1)^i E/w_i) Q(t_i) belong to a polynomial of degree m if and
// only if their divided differences with all polynomials of degree up to n
// vanish. That is a symmetric eigenproblem A b = E B b for the coefficients b of
// Q, with B definite because the signs of the divided differences' weights
// alternate as those of the error do; its only eigenvector of use is one whose Q
// has no change of sign on the reference.

// step is the distance between the powers of a rational problem.
func (p *Problem) step() int {
	if len(p.Exponents) > 1 {
		return p.Exponents[1] - p.Exponents[0]
	}
	return p.Denominator[0]
}

// checkRational refuses powers that are not those of x^a P(x^b)/Q(x^b).
func (p *Problem) checkRational() error {
	if len(p.Exponents) == 0 {
		return fmt.Errorf("%w: a denominator without a numerator", ErrProblem)
	}
	if len(p.Fixed) > 0 {
		return fmt.Errorf("%w: fixed terms beside a denominator; subtract them from F and let Weight know the whole", ErrProblem)
	}
	b := p.step()
	for i, e := range p.Exponents {
		if e != p.Exponents[0]+i*b {
			return fmt.Errorf("%w: powers %v over 1, %v: want equal steps", ErrProblem, p.Exponents, p.Denominator)
		}
	}
	for i, e := range p.Denominator {
		if b <= 0 || e != (i+1)*b {
			return fmt.Errorf("%w: powers %v over 1, %v: want equal steps", ErrProblem, p.Exponents, p.Denominator)
		}
	}
	if b > 1 && p.A.Sign() < 0 && p.B.Sign() > 0 {
		return fmt.Errorf("%w: steps of %d across 0; halve the interval", ErrProblem, b)
	}
	return nil
}

// denominator is 1 plus the terms of the denominator at x; qs are their coefficients.
func (s *solver) denominator(qs []*big.Float, x *big.Float) *big.Float {
	q := s.float().SetInt64(1)
	for i, e := range s.Denominator {
		q.Add(q, s.float().Mul(qs[i], s.power(x, e)))
	}
	return q
}

// levelRational is level for a rational problem; the coefficients are those of
// the numerator, then those of the denominator but for its 1.
func (s *solver) levelRational(ref []sample) (coefs []*big.Float, size *big.Float, err error) {
	n, step := len(s.Denominator), s.step()
	ref = slices.Clone(ref)
	if step%2 == 0 && ref[0].x.Sign() < 0 { // t falls as x grows
		slices.Reverse(ref)
	}
	count := len(ref)
	t, f, w := make([]*big.Float, count), make([]*big.Float, count), make([]*big.Float, count)
	for i, at := range ref {
		low := s.power(at.x, s.Exponents[0])
		if low.Sign() == 0 {
			return nil, nil, fmt.Errorf("%w: reference at 0, where every power of the numerator vanishes", ErrConverge)
		}
		t[i] = s.power(at.x, step)
		f[i] = s.float().Quo(at.rest, low)
		w[i] = s.float().Mul(at.weight, low.Abs(low))
	}
	// u runs over [-1, 1], where monomials are not too far from orthogonal.
	mid := s.float().Add(t[0], t[count-1])
	mid.SetMantExp(mid, -1)
	half := s.float().Sub(t[count-1], t[0])
	half.SetMantExp(half, -1)
	u := make([]*big.Float, count)
	for i := range u {
		u[i] = s.float().Quo(s.float().Sub(t[i], mid), half)
	}
	a, b := s.square(n+1), s.square(n+1)
	for i := range u {
		lambda := s.float().SetInt64(1)
		for j := range u {
			if j != i {
				lambda.Mul(lambda, s.float().Sub(u[i], u[j]))
			}
		}
		if lambda.Sign() == 0 {
			return nil, nil, fmt.Errorf("%w: two reference points in one", ErrConverge)
		}
		lambda.Quo(s.float().SetInt64(1), lambda)
		// The signs of lambda alternate; with the last one's taken out they are those of the error.
		lambda.Abs(lambda)
		positive := s.float().Quo(lambda, w[i])
		if i%2 != 0 {
			lambda.Neg(lambda)
		}
		lambda.Mul(lambda, f[i])
		power := s.float().SetInt64(1)
		for k := range 2*n + 1 {
			for row := max(0, k-n); row <= min(k, n); row++ {
				a[row][k-row].Add(a[row][k-row], s.float().Mul(lambda, power))
				b[row][k-row].Add(b[row][k-row], s.float().Mul(positive, power))
			}
			power.Mul(power, u[i])
		}
	}
	values, vectors, err := s.eigen(a, b)
	if err != nil {
		return nil, nil, err
	}
	var qu []*big.Float
	for k, vector := range vectors {
		sign := 0
		for _, at := range u {
			v := s.horner(vector, at).Sign()
			if sign == 0 {
				sign = v
			}
			if v == 0 || v != sign {
				sign = 0
				break
			}
		}
		if sign != 0 && (qu == nil || cmpAbs(values[k], size) < 0) {
			qu, size = vector, values[k]
		}
	}
	if qu == nil {
		return nil, nil, fmt.Errorf("%w: on a reference every denominator changes its sign", ErrPole)
	}
	// P through m+1 of the reference points, by divided differences.
	m := len(s.Exponents) - 1
	us, ps := make([]*big.Float, m+1), make([]*big.Float, m+1)
	for j := range us {
		i := 0
		if m > 0 {
			i = j * (count - 1) / m
		}
		e := s.float().Quo(size, w[i])
		if i%2 != 0 {
			e.Neg(e)
		}
		us[j] = u[i]
		ps[j] = e.Mul(e.Sub(f[i], e), s.horner(qu, u[i]))
	}
	for k := 1; k <= m; k++ {
		for i := m; i >= k; i-- {
			ps[i].Sub(ps[i], ps[i-1])
			ps[i].Quo(ps[i], s.float().Sub(us[i], us[i-k]))
		}
	}
	pu := []*big.Float{ps[m]}
	for i := m - 1; i >= 0; i-- {
		pu = s.timesLinear(pu, us[i])
		pu[0].Add(pu[0], ps[i])
	}
	num, den := s.unshift(pu, mid, half), s.unshift(qu, mid, half)
	if den[0].Sign() == 0 {
		return nil, nil, fmt.Errorf("%w: the denominator vanishes at 0", ErrPole)
	}
	for _, c := range num {
		c.Quo(c, den[0])
	}
	for i := n; i >= 0; i-- {
		den[i].Quo(den[i], den[0])
	}
	return append(num, den[1:]...), size, nil
}

// unshift turns a polynomial in u = (t - mid)/half into one in t.
func (s *solver) unshift(p []*big.Float, mid, half *big.Float) []*big.Float {
	out := []*big.Float{s.float()}
	for i := len(p) - 1; i >= 0; i-- {
		out = s.timesLinear(out, mid)
		for _, c := range out {
			c.Quo(c, half)
		}
		out[0].Add(out[0], p[i])
	}
	return out[:len(p)]
}

// timesLinear is p times (x - r).
func (s *solver) timesLinear(p []*big.Float, r *big.Float) []*big.Float {
	out := make([]*big.Float, len(p)+1)
	for i := range out {
		out[i] = s.float()
		if i > 0 {
			out[i].Set(p[i-1])
		}
		if i < len(p) {
			out[i].Sub(out[i], s.float().Mul(p[i], r))
		}
	}
	return out
}

func (s *solver) horner(p []*big.Float, x *big.Float) *big.Float {
	sum := s.float()
	for i := len(p) - 1; i >= 0; i-- {
		sum.Add(sum.Mul(sum, x), p[i])
	}
	return sum
}

func (s *solver) square(n int) [][]*big.Float {
	m := make([][]*big.Float, n)
	for i := range m {
		m[i] = make([]*big.Float, n)
		for j := range m[i] {
			m[i][j] = s.float()
		}
	}
	return m
}

// maxSweeps bounds Jacobi's iteration, which converges quadratically.
const maxSweeps = 40

// eigen solves a·v = value·b·v for symmetric a and positive definite b: Cholesky's
// factor of b on both sides of a, then Jacobi's rotations.
func (s *solver) eigen(a, b [][]*big.Float) (values []*big.Float, vectors [][]*big.Float, err error) {
	n := len(a)
	l := s.square(n)
	for i := range n {
		for j := range i + 1 {
			v := s.float().Set(b[i][j])
			for k := range j {
				v.Sub(v, s.float().Mul(l[i][k], l[j][k]))
			}
			switch {
			case i != j:
				l[i][j].Quo(v, l[j][j])
			case v.Sign() <= 0:
				return nil, nil, fmt.Errorf("%w: %d bits do not tell the denominator's powers apart", ErrConverge, s.Prec)
			default:
				l[i][i].Sqrt(v)
			}
		}
	}
	// c = l⁻¹ a l⁻ᵀ, by forward substitution in columns and then in rows.
	c := a
	for range 2 {
		for col := range n {
			for i := range n {
				for k := range i {
					c[i][col].Sub(c[i][col], s.float().Mul(l[i][k], c[k][col]))
				}
				c[i][col].Quo(c[i][col], l[i][i])
			}
		}
		for i := range n {
			for j := range i {
				c[i][j], c[j][i] = c[j][i], c[i][j]
			}
		}
	}
	v := s.square(n)
	for i := range n {
		v[i][i].SetInt64(1)
	}
	for range maxSweeps {
		off, all := s.float(), s.float()
		for i := range n {
			for j := range n {
				sq := s.float().Mul(c[i][j], c[i][j])
				all.Add(all, sq)
				if i != j {
					off.Add(off, sq)
				}
			}
		}
		const rounding = 24 // bits of the squares that rotations do not clear
		if off.Sign() == 0 || off.MantExp(nil) < all.MantExp(nil)-2*int(s.Prec)+rounding {
			break
		}
		for p := range n {
			for q := p + 1; q < n; q++ {
				s.rotate(c, v, p, q)
			}
		}
	}
	for k := range n {
		values = append(values, c[k][k])
		x := make([]*big.Float, n)
		for i := n - 1; i >= 0; i-- {
			x[i] = s.float().Set(v[i][k])
			for j := i + 1; j < n; j++ {
				x[i].Sub(x[i], s.float().Mul(l[j][i], x[j]))
			}
			x[i].Quo(x[i], l[i][i])
		}
		vectors = append(vectors, x)
	}
	return values, vectors, nil
}

// rotate makes c[p][q] zero by a rotation, which it applies to the columns of v too.
func (s *solver) rotate(c, v [][]*big.Float, p, q int) {
	if c[p][q].Sign() == 0 {
		return
	}
	one := s.float().SetInt64(1)
	// tan = sign(theta)/(|theta| + sqrt(theta² + 1)), theta = (c_qq - c_pp)/(2 c_pq).
	theta := s.float().Sub(c[q][q], c[p][p])
	theta.Quo(theta, s.float().Add(c[p][q], c[p][q]))
	root := s.float().Mul(theta, theta)
	root.Sqrt(root.Add(root, one))
	tan := s.float().Quo(one, root.Add(root, s.float().Abs(theta)))
	if theta.Sign() < 0 {
		tan.Neg(tan)
	}
	cos := s.float().Mul(tan, tan)
	cos.Sqrt(cos.Add(cos, one))
	cos.Quo(one, cos)
	sin := s.float().Mul(tan, cos)
	turn := func(x, y *big.Float) {
		px, py := s.float().Mul(cos, x), s.float().Mul(sin, x)
		px.Sub(px, s.float().Mul(sin, y))
		py.Add(py, s.float().Mul(cos, y))
		x.Set(px)
		y.Set(py)
	}
	for i := range c {
		turn(c[i][p], c[i][q])
	}
	for i := range c {
		turn(c[p][i], c[q][i])
	}
	for i := range v {
		turn(v[i][p], v[i][q])
	}
}

// roundRational rounds the denominator, solves for the numerator over it, rounds
// that as Round does, and then looks whether the error falls when a coefficient
// of the denominator moves to a neighbour, in so many passes at most.
func (p *Problem) roundRational(format Format, order Order, passes int) (Approximation, error) {
	best, err := p.Solve()
	if err != nil {
		return Approximation{}, err
	}
	q := make([]Term, len(p.Denominator))
	for i, t := range best.Denominator[1:] {
		q[i] = Term{t.Exp, format.round(t.Coef)}
	}
	best, err = p.over(q, format, order)
	if err != nil {
		return Approximation{}, err
	}
	for range passes {
		better := false
		for i := range q {
			for _, up := range []bool{false, true} {
				moved := slices.Clone(q)
				moved[i].Coef = format.next(q[i].Coef, up)
				a, err := p.over(moved, format, order)
				if err == nil && a.Error.Cmp(best.Error) < 0 {
					best, q, better = a, moved, true
				}
			}
		}
		if !better {
			break
		}
	}
	return best, nil
}

// over returns the rounded approximation with the given denominator, but for its 1.
func (p *Problem) over(q []Term, format Format, order Order) (Approximation, error) {
	value := func(x *big.Float) *big.Float {
		s := &solver{Problem: p}
		return s.float().Add(s.float().SetInt64(1), s.eval(q, x))
	}
	top := *p
	top.Denominator = nil
	top.F = func(x *big.Float) *big.Float {
		fx := p.F(x)
		if !finite(fx) {
			return fx
		}
		d := value(x)
		return d.Mul(d, fx)
	}
	top.Weight = func(x, fx *big.Float) *big.Float {
		d := value(x)
		if d.Sign() == 0 {
			return d.SetInf(false)
		}
		w := new(big.Float).SetPrec(p.Prec).SetInt64(1)
		if p.Weight != nil {
			if w = p.Weight(x, new(big.Float).SetPrec(p.Prec).Quo(fx, d)); w.IsInf() {
				return w
			}
		}
		return w.Quo(w, d.Abs(d))
	}
	a, err := top.Round(format, order)
	if err != nil {
		return Approximation{}, err
	}
	return p.Measure(a.Terms, append([]Term{{0, big.NewFloat(1)}}, q...))
}
