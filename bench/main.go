//go:build linux

// Command bench times yolk's kernels beside other ways to run a function over an array of float32, and writes what it
// found as a page with tables and plots.
//
//	make peers
//	go run . -functions gelu,exp -sizes 4096
//
// A cell is one function at one length. Everything in it runs in one go, in turns: each round takes a sample of every
// peer, so that a busy spell hits no peer alone, and ratios are taken within rounds. Cells that are measured replace those
// of earlier runs in the file of results, from which the page is made.
//
// What is not on the machine is skipped with a line that says so. The module is one of its own, so that the peers that
// are Go modules, and the plots, are no dependencies of yolk.
package main

import (
	"cmp"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func run() error {
	only := flag.String("functions", "", "comma-separated `names`; all by default")
	lengths := flag.String("sizes", "1000,4096,300000,16777216", "comma-separated numbers of elements")
	which := flag.String("peers", "", "a `regexp` that the names of the peers must match; yolk and memcpy are always there")
	rounds := flag.Int("rounds", 15, "samples of each peer in a cell")
	budget := flag.Duration("budget", 400*time.Millisecond, "time after which a peer is left out of further rounds of a cell, from the third on")
	docs := flag.String("docs", filepath.Join("..", "docs"), "directory of the page and of the results")
	groups := flag.String("facts", "", "comma-separated: calls, threads, tune: measure what calls cost, what Threads and what Tune gain, instead")
	render := flag.Bool("render", false, "make the page of the results that are there, measure nothing")
	flag.Parse()
	if flag.NArg() > 0 {
		return fmt.Errorf("unexpected argument %q", flag.Arg(0))
	}
	if err := oneThread(); err != nil {
		return err
	}
	store := filepath.Join(*docs, "performance.tsv")
	results, err := readResults(store)
	if err != nil {
		return err
	}
	facts, err := readFacts(filepath.Join(*docs, "performance-calls.tsv"))
	if err != nil {
		return err
	}
	if *groups != "" {
		for _, g := range strings.Split(*groups, ",") {
			measure, ok := map[string]func(rounds int) []fact{"calls": callFacts, "threads": threadFacts, "tune": tuneFacts}[g]
			if !ok {
				return fmt.Errorf("-facts: there is no %q", g)
			}
			found := measure(*rounds)
			printFacts(found)
			for i := range found {
				found[i].Group = g
			}
			facts = append(slices.DeleteFunc(facts, func(f fact) bool { return f.Group == g }), found...)
		}
		if err := writeFacts(filepath.Join(*docs, "performance-calls.tsv"), facts); err != nil {
			return err
		}
	}
	if !*render && *groups == "" {
		filter, err := regexp.Compile(*which)
		if err != nil {
			return err
		}
		var sizes []int
		for _, s := range strings.Split(*lengths, ",") {
			n, err := strconv.Atoi(s)
			if err != nil || n < 1 {
				return fmt.Errorf("-sizes: %q is no number of elements", s)
			}
			sizes = append(sizes, n)
		}
		chosen := functions
		if *only != "" {
			chosen = nil
			for _, name := range strings.Split(*only, ",") {
				i := slices.IndexFunc(functions, func(f function) bool { return f.name == name })
				if i < 0 {
					return fmt.Errorf("-functions: there is no %q", name)
				}
				chosen = append(chosen, functions[i])
			}
		}
		longest := slices.Max(sizes)
		for _, f := range chosen {
			longest = max(longest, f.size)
		}
		m, err := newMemory(longest)
		if err != nil {
			return err
		}
		defer m.close()
		peers, stop := startPeers(m, filter, func(format string, args ...any) { fmt.Fprintf(os.Stderr, format+"\n", args...) })
		defer stop()
		interrupted := make(chan os.Signal, 1)
		signal.Notify(interrupted, os.Interrupt)
		for _, f := range chosen {
			for _, n := range f.lengths(sizes) {
				select {
				case <-interrupted:
					return fmt.Errorf("interrupted")
				default:
				}
				rows, err := measure(&f, n, peers, m, *rounds, *budget)
				if err != nil {
					return err
				}
				results = append(slices.DeleteFunc(results, func(r row) bool { return r.Function == f.name && r.Size == n }), rows...)
				printCell(os.Stdout, rows)
			}
		}
		slices.SortStableFunc(results, func(a, b row) int {
			return cmp.Or(cmp.Compare(rank(a.Function), rank(b.Function)), cmp.Compare(a.Size, b.Size))
		})
		if err := writeResults(store, results); err != nil {
			return err
		}
	}
	return writePage(*docs, results, facts)
}

// oneThread starts the program again if its libraries would use more than one thread: they read the environment when
// they are loaded.
func oneThread() error {
	if os.Getenv("OMP_NUM_THREADS") == "1" {
		return nil
	}
	self, err := os.Executable()
	if err != nil {
		return err
	}
	return syscall.Exec(self, os.Args, append(os.Environ(), "OMP_NUM_THREADS=1", "OMP_WAIT_POLICY=passive"))
}
