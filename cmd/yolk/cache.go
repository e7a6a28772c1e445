package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/go-yolk/yolk/jit/cache"
)

var cacheCommand = command{
	name:  "cache",
	args:  "list|prune|clear",
	nargs: 1,
	short: "list, prune or clear what is kept on disk",
	long: `Kernels are kept in yolk below the user's cache directory, or in the directory that YOLK_CACHE names; YOLK_CACHE=off keeps none. An
entry holds the code, the certificate and the report. It is found by the function, options, rules, target, compiler and version of yolk, and
never changed. Above 128 MB those that have not been used for longest are removed when one is written.

	list    one line an entry, those used last first; an entry that is damaged says so, and the exit code is 1
	prune   remove what dead processes have left and, down to -limit, the entries that have not been used for longest
	clear   remove all entries

Programs that run are not disturbed: what they have loaded is a copy.

Examples:

	yolk cache list
	yolk cache list -json | jq -r '.Entries[] | select(.Kind == "kernel") | .Name'
	yolk cache prune -limit 16
	YOLK_CACHE=/var/tmp/mine yolk cache clear
`,
	setup: func(flags *flag.FlagSet) func(context.Context, streams, []string) error {
		asJSON := flags.Bool("json", false, "print the answer as JSON")
		limit := flags.Float64("limit", float64(cache.DefaultLimit>>20), "for prune: what may stay, in `MB`")
		return func(_ context.Context, s streams, args []string) error {
			var do func(*cache.Store) (holdings, error)
			switch args[0] {
			case "list":
				do = list
			case "prune":
				if !(*limit >= 0) {
					return misused("-limit %g is negative", *limit)
				}
				do = func(c *cache.Store) (holdings, error) { return remove(c, int64(*limit*(1<<20))) }
			case "clear":
				do = func(c *cache.Store) (holdings, error) { return remove(c, 0) }
			default:
				return misused("%q is none of list, prune and clear", args[0])
			}
			store, err := cache.OpenFor(os.Getenv("YOLK_CACHE"))
			if err != nil {
				return err
			}
			h, err := do(store)
			if err != nil {
				return err
			}
			if *asJSON {
				err = printJSON(s.out, h)
			} else {
				h.print(s.out)
			}
			if err == nil && h.damaged() {
				err = errBad
			}
			return err
		}
	},
}

// holdings are what is in the cache, or what was removed from it.
type holdings struct {
	Directory string
	Removed   bool // Entries are what was removed
	Entries   []holding
	Bytes     int64 // of the entries
}

// holding is an entry. Name is the function's; Target and Clang are a kernel's.
type holding struct {
	Entry, Kind         string
	Bytes               int64
	Used                time.Time
	Name, Target, Clang string `json:",omitempty"`
	Damage              string `json:",omitempty"`
}

func list(c *cache.Store) (holdings, error) {
	entries, err := c.List()
	h := holdings{Directory: c.Dir(), Entries: []holding{}}
	for _, e := range entries {
		text, _, err := c.Read(e)
		if errors.Is(err, cache.ErrMiss) { // removed since
			continue
		}
		one := describe(e, text)
		if err != nil {
			one.Damage = err.Error()
		}
		h.add(one)
	}
	return h, err
}

func remove(c *cache.Store, limit int64) (holdings, error) {
	removed, err := c.Prune(limit)
	h := holdings{Directory: c.Dir(), Removed: true, Entries: []holding{}}
	for _, e := range removed {
		h.add(describe(e, ""))
	}
	return h, err
}

func (h *holdings) add(one holding) {
	h.Entries = append(h.Entries, one)
	h.Bytes += one.Bytes
}

func (h *holdings) damaged() bool {
	for _, e := range h.Entries {
		if e.Damage != "" {
			return true
		}
	}
	return false
}

// describe reads what a list shows off the text that an entry depends on.
func describe(e cache.Entry, text string) holding {
	h := holding{Entry: e.Name, Kind: e.Kind(), Bytes: e.Size, Used: e.Used.Round(time.Second)}
	for line := range strings.Lines(text) {
		key, value, _ := strings.Cut(strings.TrimSpace(line), " ")
		switch {
		case key == "function" && h.Kind == "source":
			h.Name, _, _ = strings.Cut(value, " ")
		case h.Kind != "kernel":
		case key == "name" && h.Name == "":
			h.Name, _ = strconv.Unquote(value)
		case key == "target" && h.Target == "":
			h.Target = value
		case key == "clang":
			if words := strings.SplitN(value, " ", 4); len(words) == 4 { // path, size, time, version
				h.Clang, _ = strconv.Unquote(words[3])
			}
		}
	}
	return h
}

func (h *holdings) print(w io.Writer) {
	if !h.Removed && len(h.Entries) > 0 {
		t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
		fmt.Fprintln(t, "kind\tfunction\ttarget\tKB\tlast used\tentry")
		for _, e := range h.Entries {
			fmt.Fprintf(t, "%s\t%s\t%s\t%.1f\t%s\t%s\n", e.Kind, dash(e.Name), dash(e.Target), float64(e.Bytes)/1024, e.Used.Format(time.DateTime), e.Entry)
		}
		t.Flush()
		fmt.Fprintln(w)
		for _, e := range h.Entries {
			if e.Damage != "" {
				fmt.Fprintf(w, "%s (it is made again when it is wanted; yolk cache clear removes it)\n", e.Damage)
			}
		}
	}
	if h.Removed {
		fmt.Fprintf(w, "removed from %s: %s\n", h.Directory, amount(len(h.Entries), h.Bytes))
	} else {
		fmt.Fprintf(w, "%s holds %s\n", h.Directory, amount(len(h.Entries), h.Bytes))
	}
}

func amount(entries int, bytes int64) string {
	if entries == 1 {
		return fmt.Sprintf("1 entry, %.1f KB", float64(bytes)/1024)
	}
	return fmt.Sprintf("%d entries, %.1f KB", entries, float64(bytes)/1024)
}

func dash(s string) string {
	if s == "" {
		return "-"
	}
	return s
}
