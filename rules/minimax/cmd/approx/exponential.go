package main

// exponentialTiers are exp2. Its reduction is exact: x = k + f.
var exponentialTiers = []tier{
	{"exp2", exp2Form, f32, 6, all, "1"},
	{"exp2", exp2Form, f32, 5, all, "2"},
	{"exp2", exp2Form, f32, 4, all, "45"},
	{"exp2", exp2Form, f32, 3, all, "1400"},
	{"exp2", exp2Form, f64, 11, all, "1"},
	{"exp2", exp2Form, f64, 10, all, "3"},
}

// exp2Form clamps as reduce does.
func exp2Form(t typ, degree int) (string, []string, error) {
	q, err := exp2Fit(degree, t.format)
	if err != nil {
		return "", nil, err
	}
	return "ldexp(p, k)", []string{
		"c = select(x < " + t.exp2Low + ", " + t.exp2Low + ", x)",
		"n = rint(c)",
		"k = select(n < " + t.kMax + ", n, " + t.kMax + ")",
		"f = c - k",
		"p = " + horner("f", append([]string{"1"}, q...)),
	}, nil
}

func exponentials() ([]rule, error) { return rulesOf(exponentialTiers) }
