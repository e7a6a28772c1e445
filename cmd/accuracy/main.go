// Command accuracy measures every function that yolk has, in both types and in every tier, and writes docs/accuracy.md.
//
// A tier is one form of the function (rules/form-*.rules), compiled alone for x86-64-v4; the default contract, Strict and
// CorrectlyRounded choose among them. What has been measured is kept in docs/accuracy.tsv, a line for each program, and
// measured again only where the program is another one. With -sweep the float32 programs of one variable, and package math
// beside them, are measured at all 2^32 inputs, natively, with one evaluation of the truth for all of them; without it, and for
// the others, on a sample. -doc writes the table from what is kept and measures nothing.
package main

import (
	"context"
	"flag"
	"fmt"
	"log"
	"os"
	"os/signal"
	"slices"
	"strings"

	"github.com/go-yolk/yolk/compiler/ir"
)

func main() {
	log.SetFlags(0)
	sweep := flag.Bool("sweep", false, "measure float32 functions of one variable at all inputs")
	only := flag.String("only", "", "comma-separated names; default all")
	doc := flag.Bool("doc", false, "write the table from the log, and measure nothing")
	ties := flag.Bool("ties", false, "print the inputs whose result is all but a tie, where the correctly rounded tier is wrong, and nothing else")
	beside := flag.Bool("math", true, "measure package math too")
	types := flag.String("types", "f32,f64", "which types to measure")
	dir := flag.String("dir", "docs", "directory of accuracy.tsv and accuracy.md")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	names := strings.FieldsFunc(*only, func(r rune) bool { return r == ',' })
	if *ties {
		if err := allTies(ctx, names); err != nil {
			log.Fatal(err)
		}
		return
	}
	if err := run(ctx, *dir, *sweep, *doc, *beside, strings.Split(*types, ","), names); err != nil {
		log.Fatal(err)
	}
}

func run(ctx context.Context, dir string, sweep, doc, beside bool, types, only []string) error {
	records, err := readRecords(dir + "/accuracy.tsv")
	if err != nil {
		return err
	}
	m, err := newMachine(ctx)
	if err != nil {
		return err
	}
	for _, f := range functions() {
		for _, t := range []ir.Type{ir.Float32, ir.Float64} {
			if doc || len(only) > 0 && !slices.Contains(only, f.name) || !slices.Contains(types, t.String()) {
				continue
			}
			rows, err := m.tiers(ctx, f, t)
			if err != nil {
				return err
			}
			whole := sweep && t == ir.Float32 && f.arity == 1
			missing := slices.DeleteFunc(rows, func(r row) bool {
				have, ok := records[r.key()]
				return r.program == nil && !r.math || r.math && !beside || ok && have.hash == r.hash && (have.exhaustive || !whole)
			})
			if len(missing) == 0 {
				continue
			}
			fmt.Fprintf(os.Stderr, "%s %v: %d programs\n", f.name, t, len(missing))
			var measured []record
			if whole {
				measured, err = m.exhaust(ctx, f, missing)
			} else {
				measured, err = m.sample(f, t, missing)
			}
			if err != nil {
				return fmt.Errorf("%s %v: %w", f.name, t, err)
			}
			for _, r := range measured {
				records[r.key()] = r
			}
			if err := records.write(dir+"/accuracy.tsv", rowKeys()); err != nil {
				return err
			}
		}
	}
	return writeTable(dir+"/accuracy.md", records, rowKeys(), m.bounds())
}

// rowKeys is the order of the log: that of the functions.
func rowKeys() []string {
	var names []string
	for _, f := range functions() {
		names = append(names, f.name)
	}
	return names
}

func allTies(ctx context.Context, only []string) error {
	m, err := newMachine(ctx)
	if err != nil {
		return err
	}
	for _, f := range functions() {
		if f.arity != 1 || len(only) > 0 && !slices.Contains(only, f.name) {
			continue
		}
		rows, err := m.tiers(ctx, f, ir.Float32)
		if err != nil {
			return err
		}
		i := slices.IndexFunc(rows, func(r row) bool { return r.tier == "correctly rounded" })
		if rows[i].program == nil {
			return fmt.Errorf("%s: %w", f.name, rows[i].err)
		}
		if err := m.hard(ctx, os.Stdout, f, rows[i].program); err != nil {
			return fmt.Errorf("%s: %w", f.name, err)
		}
	}
	return nil
}
