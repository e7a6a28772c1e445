package main

import (
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"math"
	"regexp"
	"slices"
	"strings"

	"github.com/go-yolk/yolk/ufunc"
)

//go:embed page.html.tmpl
var pageText string

var pageTemplate = template.Must(template.New("page").Parse(pageText))

// page is what the template shows: a column for each stage.
type page struct {
	*ufunc.Report
	Verdict string // of the certificate
	Columns []column
	Total   string
}

// column is a stage. What it does not have is empty.
type column struct {
	Name, Time, Before, After string
	Share                     float64 // of the longest stage's time, in percent
	Programs                  []ufunc.ProgramText
	Graph                     *drawing
	Firings                   []firing
	Candidates                []ufunc.CandidateReport
	Curve                     *plot
	Notes                     []string
	Mix                       []bar
	Loop                      []ufunc.LineText // LLVM IR of the loop over single vectors
	Text, TextTitle           string           // long, folded
}

type firing struct {
	Name            string
	Matches, Unions int
}

// bar is a row of a bar chart.
type bar struct {
	Name    string
	Count   int
	Percent float64
}

// writePage writes a page that needs nothing else: no network, no other file.
func writePage(w io.Writer, r *ufunc.Report, x *ufunc.Explanation) error {
	p := page{Report: r, Verdict: fmt.Sprint(r.Certificate), Total: fmt.Sprintf("%.1f ms", float64(r.Elapsed)/1e6)}
	var longest float64
	for _, s := range r.Stages {
		longest = math.Max(longest, float64(s.Duration))
	}
	for _, s := range r.Stages {
		c := column{Name: s.Name, Time: fmt.Sprintf("%.3f ms", float64(s.Duration)/1e6), Before: s.Before, After: s.After, Share: 100 * float64(s.Duration) / math.Max(longest, 1)}
		for _, program := range x.Programs {
			if program.Stage == s.Name {
				c.Programs = append(c.Programs, program)
			}
		}
		switch s.Name {
		case "saturate":
			c.Notes = append(c.Notes, fmt.Sprintf("stopped: %v", r.StopReason))
			for _, f := range r.Firings {
				c.Firings = append(c.Firings, firing{f.Name, f.Matches, f.Unions})
			}
			if len(x.Classes) > 0 {
				c.Graph = drawClasses(x.Classes)
			} else {
				c.Notes = append(c.Notes, "The e-graph is too large to be drawn.")
			}
		case "extract":
			c.Notes = append(c.Notes, fmt.Sprintf("cost %d as written, %d optimised", r.CostBefore, r.CostAfter))
		case "lower":
			c.Candidates = r.Candidates
		case "certify":
			if len(x.Errors) > 0 {
				c.Curve = errorPlot(x.Errors)
			}
		case "codegen":
			c.Loop = vectorLoop(r.LLVM, x.Programs)
			c.Text, c.TextTitle = r.LLVM, "LLVM IR, all of it"
		case "link":
			c.Mix = mixture(r.Asm)
			c.Text, c.TextTitle = r.Asm, "machine code"
		}
		p.Columns = append(p.Columns, c)
	}
	return pageTemplate.Execute(w, p)
}

// vectorLoop is the loop over single vectors in LLVM IR, its lines numbered by the values that they compute: the emitter writes instructions in
// the order of the program's operations.
func vectorLoop(llvm string, programs []ufunc.ProgramText) []ufunc.LineText {
	_, block, ok := strings.Cut(llvm, "\nvector:\n")
	if !ok || len(programs) == 0 {
		return nil
	}
	var lines []ufunc.LineText
	rest := programs[len(programs)-1].Lines
	for line := range strings.Lines(block) {
		if !strings.HasPrefix(line, "  ") {
			break
		}
		l := ufunc.LineText{Text: strings.TrimSpace(line)}
		for i, from := range rest {
			if computes(l.Text, from.Text) {
				l.Value, rest = from.Value, rest[i+1:]
				break
			}
		}
		lines = append(lines, l)
	}
	return lines
}

// spellings are the LLVM instructions of operations.
var spellings = map[string][]string{
	"add": {"fadd"}, "sub": {"fsub"}, "mul": {"fmul"}, "div": {"fdiv"}, "neg": {"fneg"}, "fma": {"llvm.fma"}, "sqrt": {"llvm.sqrt"}, "abs": {"llvm.fabs"},
	"copysign": {"llvm.copysign"}, "floor": {"llvm.floor"}, "ceil": {"llvm.ceil"}, "trunc": {"llvm.trunc"}, "rint": {"llvm.roundeven", "llvm.rint"},
	"ldexp": {"scalef"}, "lt": {"fcmp"}, "le": {"fcmp"}, "eq": {"fcmp"}, "ne": {"fcmp"}, "select": {" select "}, "convert": {"fpext", "fptrunc"},
	"logb": {"getexp"}, "mant": {"getmant"}, "min": {"llvm.minimum", "range"}, "max": {"llvm.maximum", "range"}, "param": {" load ", "llvm.masked.load"},
}

// operation finds the name in a line of a program: v3 = mul.pin f32 v1 v2.
var operation = regexp.MustCompile(`^v\d+ = ([a-z0-9]+)`)

func computes(instruction, line string) bool {
	m := operation.FindStringSubmatch(line)
	return m != nil && strings.HasPrefix(instruction, "%") && slices.ContainsFunc(spellings[m[1]], func(s string) bool { return strings.Contains(instruction, s) })
}

// classesOfInstructions sorts machine instructions, x86's and arm64's, by what they are for. The first that matches counts.
var classesOfInstructions = []struct {
	name    string
	pattern *regexp.Regexp
}{
	{"fused multiply-add", regexp.MustCompile(`^(vfn?m(add|sub)|fn?m(la|ls|add|sub))`)},
	{"multiply", regexp.MustCompile(`^(v?mul[ps][sd]|fmul)`)},
	{"add, subtract", regexp.MustCompile(`^(v?(add|sub)[ps][sd]|f(add|sub))`)},
	{"divide, square root", regexp.MustCompile(`^(v?(div|sqrt)[ps][sd]|f(div|sqrt)|vr(cp|sqrt))`)},
	{"compare, select, min, max", regexp.MustCompile(`^(v?(cmp|min|max|blend|range|fixupimm)[a-z]*[ps][sd]|fcm|fm(in|ax)|bi[ft]|bsl|v?blend)`)},
	{"round, scale, exponent", regexp.MustCompile(`^(v?(round|rndscale|reduce|scalef|getexp|getmant)|frint|fcvt|v?cvt)`)},
	{"look-up, shuffle, broadcast", regexp.MustCompile(`^(vperm|v?shuf|v?unpck|v?p?unpck|v?p?broadcast|v?insert|v?extract|tbl|zip|uzp|trn|dup|ext\b|vpalign|v?movs[lh]dup|vexpand|vcompress)`)},
	{"load, store, move", regexp.MustCompile(`^(v?movs?[audnlh]|mov|ld|st|prefetch|prfm|push|pop|vmaskmov|k?mov|lea|adr)`)},
	{"jump, call", regexp.MustCompile(`^(j|b\b|b\.|bl|cb|tb|ret|call)`)},
}

// instructionLine is an instruction behind its offset.
var instructionLine = regexp.MustCompile(`^ *[0-9a-f]+  ([a-z0-9.]+)`)

// mixture counts the instructions of a listing.
func mixture(asm string) []bar {
	counts := map[string]int{}
	total := 0
	for line := range strings.Lines(asm) {
		m := instructionLine.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		name := "integers, masks, other"
		for _, c := range classesOfInstructions {
			if c.pattern.MatchString(m[1]) {
				name = c.name
				break
			}
		}
		counts[name]++
		total++
	}
	var bars []bar
	for name, n := range counts {
		bars = append(bars, bar{name, n, 100 * float64(n) / float64(total)})
	}
	slices.SortFunc(bars, func(a, b bar) int {
		if a.Count != b.Count {
			return b.Count - a.Count
		}
		return strings.Compare(a.Name, b.Name)
	})
	return bars
}
