package main

import (
	"fmt"
	"io"
	"strings"
)

// A rule is an approximation as the rule files spell it.
type rule struct {
	name string
	// call is the left side.
	call string
	body string
	with []string
	typ  string
	// domain is "everywhere" or "on" and a guard.
	domain string
	// within is the bound with its unit, fma being one operation.
	within string
}

// everywhere is the domain of all arguments.
const everywhere = "everywhere"

// A family is what one rule file holds.
type family struct {
	name  string
	rules func() ([]rule, error)
}

// families are all forms.
var families = []family{
	{"functions", basic},
	{"trigonometry", trigonometry},
	{"errorfunctions", errorFunctions},
	{"exponentials", exponentials},
	{"logarithms", logarithms},
	{"hyperbolics", hyperbolics},
	{"roots", roots},
	{"generalpowers", generalPowers},
	{"activations", activations},
	{"tables", tables},
}

// write prints the family's rules, a blank line between two.
func (f family) write(w io.Writer) error {
	rules, err := f.rules()
	if err != nil {
		return fmt.Errorf("%s: %w", f.name, err)
	}
	for _, r := range rules {
		if _, err := fmt.Fprintf(w, "%s\n", r.text()); err != nil {
			return err
		}
	}
	return nil
}

// columns is the width of a rule's lines.
const columns = 120

// text sets the rule: one binding a line, long ones wrapped.
func (r rule) text() string {
	var b strings.Builder
	b.WriteString(wrap(r.name+":  "+r.call+" ~> "+r.body, "\n        "))
	for i, w := range r.with {
		lead, end := "\n         ", ";"
		if i == 0 {
			lead = "\n    with "
		}
		if i == len(r.with)-1 {
			end = ""
		}
		b.WriteString(wrap(lead+w+end, "\n             "))
	}
	fmt.Fprintf(&b, "\n    for %s %s within %s ! afn\n", r.typ, r.domain, r.within)
	return b.String()
}

// wrap breaks a line at its spaces.
func wrap(line, indent string) string {
	var b strings.Builder
	rest := line
	for len(rest) > columns {
		i := strings.LastIndexByte(rest[:columns], ' ')
		b.WriteString(rest[:i])
		rest = indent + rest[i+1:]
	}
	b.WriteString(rest)
	return b.String()
}
