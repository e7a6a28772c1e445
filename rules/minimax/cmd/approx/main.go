// Command approx computes the polynomial forms of exp, expm1, tanh and log and
// prints them as rules, one a line.
package main

import (
	"bufio"
	"fmt"
	"io"
	"os"
)

func main() {
	w := bufio.NewWriter(os.Stdout)
	if err := write(w); err != nil {
		fmt.Fprintln(os.Stderr, "approx:", err)
		os.Exit(1)
	}
	if err := w.Flush(); err != nil {
		fmt.Fprintln(os.Stderr, "approx:", err)
		os.Exit(1)
	}
}

// write prints every form.
func write(w io.Writer) error {
	for _, t := range tiers {
		text, err := t.text()
		if err != nil {
			return err
		}
		if _, err := fmt.Fprintln(w, text); err != nil {
			return err
		}
	}
	return nil
}
