package accuracy

import "github.com/go-yolk/yolk/compiler/interp"

// ULPs measures outputs [result][point] and the function as written at the points: their errors in ulps of the true value, [result][point],
// infinite where one is infinite or NaN and the other is not. Where the truth is not known well enough, or is no number, both are 0.
func (c *Contract) ULPs(in Points, got [][]float64) (kernel, written [][]float64, err error) {
	ev, err := c.evaluate(in)
	if err != nil {
		return nil, nil, err
	}
	kernel, written = make([][]float64, len(got)), make([][]float64, len(got))
	for r := range got {
		t := c.f.Nodes[c.f.Results[r]].Type
		kernel[r], written[r] = make([]float64, in.Len()), make([]float64, in.Len())
		for i, truth := range ev.truth[r] {
			if truth.Hi != truth.Hi || truth.Err > interp.ULP(t, truth)/2 {
				continue
			}
			kernel[r][i] = interp.ErrorULP(t, got[r][i], truth)
			written[r][i] = interp.ErrorULP(t, ev.written[r][i], truth)
		}
	}
	return kernel, written, nil
}
