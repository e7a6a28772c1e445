// Command approx computes the polynomial forms of the elementary functions and
// prints them as rules, laid out as in the files of rules that hold them. With
// names of families as arguments it prints those only.
package main

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"slices"
)

func main() {
	w := bufio.NewWriter(os.Stdout)
	err := write(w, os.Args[1:])
	if err == nil {
		err = w.Flush()
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "approx:", err)
		os.Exit(1)
	}
}

// write prints the named families, all if there are no names.
func write(w io.Writer, names []string) error {
	for _, name := range names {
		if !slices.ContainsFunc(families, func(f family) bool { return f.name == name }) {
			return fmt.Errorf("no family is named %q", name)
		}
	}
	for _, f := range families {
		if len(names) > 0 && !slices.Contains(names, f.name) {
			continue
		}
		if _, err := fmt.Fprintf(w, "# %s\n\n", f.name); err != nil {
			return err
		}
		if err := f.write(w); err != nil {
			return err
		}
	}
	return nil
}
