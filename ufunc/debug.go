package ufunc

import (
	"slices"
	"strings"
)

// debug reads YOLK_DEBUG, settings in GODEBUG's syntax, for all kernels of a process:
//
//	check=1        compare the values of classes at sample points at every union in the e-graph, and name the first false law
//	rules=-NAME    leave a rule out, if the kernel has it; several are separated by colons, to bisect a wrong result
//
// An unknown key or value is a fault of every kernel.
func (c *config) debug(settings string) {
	for setting := range strings.SplitSeq(settings, ",") {
		key, value, _ := strings.Cut(strings.TrimSpace(setting), "=")
		switch {
		case key == "":
		case key == "check" && (value == "0" || value == "1"):
			c.check = value == "1"
		case key == "rules" && value != "":
			for rule := range strings.SplitSeq(value, ":") {
				name, off := strings.CutPrefix(rule, "-")
				if !off {
					c.fault("ufunc: YOLK_DEBUG: rules=%s: a rule is left out by -%s", value, name)
				}
				c.off = append(c.off, name)
			}
		default:
			c.fault("ufunc: YOLK_DEBUG: unknown setting %q (there are check=0, check=1 and rules=-NAME)", setting)
		}
	}
}

// leaveOut drops the rules that YOLK_DEBUG names from those that the kernel has.
func (c *config) leaveOut() error {
	var names []string
	for _, name := range c.rules.Names() {
		if slices.Contains(c.off, name) && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	if len(names) == 0 {
		return nil
	}
	set, err := c.rules.Without(names...)
	c.rules = set
	return err
}
