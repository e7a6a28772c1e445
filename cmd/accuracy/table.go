package main

import (
	"cmp"
	"fmt"
	"math"
	"os"
	"slices"
	"strings"
)

// writeTable writes the document from the rows and what has been measured of them.
func writeTable(name string, rows []row, all records) error {
	var b strings.Builder
	b.WriteString(header)
	for len(rows) > 0 {
		n := slices.IndexFunc(rows, func(r row) bool { return r.function != rows[0].function || r.typ != rows[0].typ })
		if n < 0 {
			n = len(rows)
		}
		section(&b, rows[:n], all)
		rows = rows[n:]
	}
	return os.WriteFile(name, []byte(b.String()), 0o644)
}

func section(b *strings.Builder, rows []row, all records) {
	rows = slices.Clone(rows)
	measured := func(r row) (record, bool) {
		m, ok := all[r.key()]
		return m, ok && m.hash == r.hash
	}
	// Contracts first, then forms from good to coarse.
	slices.SortStableFunc(rows, func(a, c row) int {
		if a.contract != c.contract || a.math != c.math || a.contract {
			return 0
		}
		x, _ := measured(a)
		y, _ := measured(c)
		return cmp.Compare(x.maxULP, y.maxULP)
	})
	for _, r := range rows {
		tier := r.tier
		if r.contract {
			tier = "**" + tier + "**"
			if len(r.forms) > 0 {
				tier += ": " + strings.Join(r.forms, ", ")
			}
		}
		if r.err != nil {
			fmt.Fprintf(b, "| %s | %v | %s | %s | | impossible | | | |\n", r.function, r.typ, tier, r.within)
			continue
		}
		m, ok := measured(r)
		if !ok {
			fmt.Fprintf(b, "| %s | %v | %s | %s | | | | | not measured |\n", r.function, r.typ, tier, r.within)
			continue
		}
		operations := fmt.Sprint(m.operations)
		if r.math {
			operations = ""
		}
		wrong := ""
		if m.wrong >= 0 {
			wrong = fmt.Sprint(m.wrong)
		}
		on := fmt.Sprintf("%d points", m.points)
		if m.exhaustive {
			on = "all 2^32"
			if m.points != 1<<32 {
				on = "all of 2^-120 and more in size"
			}
		}
		worst := ""
		if m.maxULP > 0 {
			var at []string
			for _, x := range m.worst {
				at = append(at, fmt.Sprintf("%.9g", x))
			}
			worst = strings.Join(at, ", ")
		}
		fmt.Fprintf(b, "| %s | %v | %s | %s | %s | %s | %s | %s | %s |\n", r.function, r.typ, tier, r.within, operations, ulps(m.maxULP), worst, wrong, on)
	}
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
the fuel that there is are not counted. "Special values": NaN, an infinity or a zero is not where it should be. The log
of the measurements is accuracy.tsv, with the inputs of wrong results where there are few.

| function | type | tier | promised | operations | max ulp | at | wrong | on |
|---|---|---|---|---:|---:|---|---:|---|
`
