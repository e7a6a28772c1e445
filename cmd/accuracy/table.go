package main

import (
	"cmp"
	"fmt"
	"math"
	"os"
	"slices"
	"strings"
)

// writeTable writes the document from the log: functions in order, of each the choices of the contracts, then forms from good to coarse, then
// package math.
func writeTable(name string, all records, order []string, bounds map[string]string) error {
	var b strings.Builder
	b.WriteString(header)
	for _, function := range order {
		for _, typ := range []string{"f32", "f64"} {
			var rows []record
			for _, r := range all {
				if r.function == function && r.typ == typ {
					rows = append(rows, r)
				}
			}
			slices.SortFunc(rows, func(a, c record) int {
				return cmp.Or(cmp.Compare(rank(a.tier), rank(c.tier)), cmp.Compare(a.maxULP, c.maxULP), cmp.Compare(a.tier, c.tier))
			})
			for _, r := range rows {
				r.write(&b, bounds)
			}
		}
	}
	return os.WriteFile(name, []byte(b.String()), 0o644)
}

// promises are what the contracts say of the error.
var promises = map[string]string{"default": "4 ulp", "strict": "the function's bits", "correctly rounded": "0.5 ulp"}

func rank(tier string) int {
	switch tier {
	case "default":
		return 0
	case "strict":
		return 1
	case "correctly rounded":
		return 2
	case mathTier:
		return 4
	}
	return 3
}

func (r record) write(b *strings.Builder, bounds map[string]string) {
	tier, promised, operations := r.tier, bounds[r.tier], fmt.Sprint(r.operations)
	if promise, ok := promises[tier]; ok {
		tier, promised = "**"+tier+"**", promise
		if len(r.forms) > 0 {
			tier += ": " + strings.Join(r.forms, ", ")
		}
	}
	if r.tier == mathTier {
		operations = ""
	}
	wrong := ""
	if r.wrong >= 0 {
		wrong = fmt.Sprint(r.wrong)
	}
	on := fmt.Sprintf("%d points", r.points)
	if r.exhaustive {
		on = "all 2^32"
	}
	worst := ""
	if r.maxULP > 0 {
		var at []string
		for _, x := range r.worst {
			at = append(at, fmt.Sprintf("%.9g", x))
		}
		worst = strings.Join(at, ", ")
	}
	fmt.Fprintf(b, "| %s | %s | %s | %s | %s | %s | %s | %s | %s |\n", r.function, r.typ, tier, promised, operations, ulps(r.maxULP), worst, wrong, on)
}

func ulps(x float64) string {
	if math.IsInf(x, 0) {
		return "special values"
	}
	return fmt.Sprintf("%.4g", x)
}

const header = `# Accuracy of the functions

Made by ` + "`make accuracy`" + `; do not edit. Each function alone, compiled for x86-64-v4. In bold what a contract chooses, with its forms; the
other rows are the tiers, one form each, whose domain is the whole line; package math, rounded to the type, comes last. For functions that package
math lacks that row is the usual formula in float64.

*Promised* is what the form or the contract says of its error (fma being one operation), *operations* are those for each element, *max ulp* is
the largest error measured, an ulp being the spacing of the type at the true value, and *wrong* counts the results other than the correctly
rounded one. "All 2^32" is every float32, NaN and infinities included; the truth there is a compiled float64 program that bounds its own error, and
double-double or more bits wherever that bound leaves open how the value rounds. The other measurements are samples, drawn from every
binade, subnormals included, and towards the special values, against a wide evaluation; results whose truth is not settled with
the fuel that there is are not counted. Package math is measured on the same inputs.
"Special values": NaN, an infinity or a zero is not where it should be. What is not in the table has not been measured yet. The
log of the measurements is accuracy.tsv, with the inputs of wrong results where there are few.

| function | type | tier | promised | operations | max ulp | at | wrong | on |
|---|---|---|---|---:|---:|---|---:|---|
`
