package compiler

import (
	"fmt"
	"strings"

	"github.com/go-yolk/yolk/compiler/ir"
)

// Step is one program on the way from the function as written to the program that runs.
type Step struct {
	Stage string // the stage that made it; "" for the function as written
	Title string
	Func  *ir.Func
}

// Steps lists the programs of the way that the chosen candidate came, in order.
func (r *Run) Steps() []Step {
	steps := []Step{{"", "as written", r.Input}}
	if r.Chosen.Source != r.Input {
		steps = append(steps, Step{"extract", "extracted", r.Chosen.Source})
	}
	for _, l := range r.Chosen.levels {
		if len(l.forms) > 0 {
			steps = append(steps, Step{"lower", "with " + strings.Join(l.forms, ", "), l.before})
		}
		steps = append(steps, Step{"lower", fmt.Sprintf("saturated again: %d operations", l.after.Arithmetic()), l.after})
	}
	return append(steps, Step{"certify", "the program that runs", r.Output})
}
