// Package native turns a program into code for one kind of machine: in goes an [ir.Func] without elementary functions and
// a [Target], out comes the text of an LLVM module with one function, yolk_kernel, that walks n-dimensional operands.
//
// The text holds explicit vectors: LLVM allocates registers and schedules, but decides nothing. No instruction carries a
// fast-math flag, so every element gets the same bits whatever its position, stride and neighbours, and the same as from
// the interpreter. The approach is that of ISPC (Pharr and Mark, "ispc: A SPMD Compiler for High-Performance CPU
// Programming", 2012): branches are choices, whose dear arms are jumped over where no lane takes them, and loops run under masks.
//
// The package runs no compiler, knows no rule, and never writes a name that a user chose.
//
// # The kernel
//
// The kernel takes one pointer to four words: pointers to the operands' first elements, to the counts [ndim], outermost
// loop first, and to the byte strides [operands][ndim]; and the number of elements of the call that this one is a part of,
// or less if it is the whole. Operands are the inputs in order, then the outputs. It returns 0, or 1 if an integer was
// divided by zero; all outputs have been written then, and are undefined where that happened. A bool is a byte, 0 or 1. Pointers need only be
// aligned to their elements; strides may have any sign, and be 0 for an input. An output may be exactly an input.
package native

import (
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/go-yolk/yolk/compiler/ir"
)

// ErrUnsupported is wrapped by the errors of Emit about a program that the target cannot run.
var ErrUnsupported = errors.New("native: unsupported program")

// Symbols are the names of what a module exports.
type Symbols struct {
	Kernel string // the kernel
	Loop   string // the same as an inner loop of NumPy's; "": there is none
}

var identifier = regexp.MustCompile("^[A-Za-z_][A-Za-z0-9_]*$")

// Emit writes the LLVM module of a kernel that computes f over ndim dimensions. The text is a function of the program and
// the target alone. Errors wrap ir.ErrInvalid, or ErrUnsupported: an operation that the target does not have (an elementary
// function, a fused multiply-add), or no dimension.
func Emit(f *ir.Func, ndim int, t Target) (string, error) {
	return EmitAs(f, ndim, t, Symbols{Kernel: "yolk_kernel"})
}

// EmitAs is Emit with other names, C identifiers, so that one library may hold several kernels and C may call them.
func EmitAs(f *ir.Func, ndim int, t Target, names Symbols) (string, error) {
	return emitModule(f, ndim, t, names, false)
}

// EmitMasked is EmitAs for a kernel whose last input, a bool, says which elements are computed: no other element of an output is
// touched, and no other can fault.
func EmitMasked(f *ir.Func, ndim int, t Target, names Symbols) (string, error) {
	if n := len(f.Params); n == 0 || f.Params[n-1].Type != ir.Bool {
		return "", fmt.Errorf("%w: the last parameter is no mask", ErrUnsupported)
	}
	return emitModule(f, ndim, t, names, true)
}

func emitModule(f *ir.Func, ndim int, t Target, names Symbols, masked bool) (string, error) {
	for _, name := range []string{names.Kernel, names.Loop} {
		if name != "" && !identifier.MatchString(name) {
			return "", fmt.Errorf("native: symbol %q is no C identifier", name)
		}
	}
	if err := ir.Verify(f); err != nil {
		return "", fmt.Errorf("native: %w", err)
	}
	if ndim < 1 {
		return "", fmt.Errorf("%w: %d dimensions", ErrUnsupported, ndim)
	}
	costs, faults := t.Costs(), false
	for g := range f.All {
		for i, n := range g.Nodes {
			faults = faults || n.Type.IsInteger() && (n.Op == ir.Div || n.Op == ir.Rem)
			if costs[n.Op][n.Type] == ir.InfiniteCost {
				return "", fmt.Errorf("%w: v%d: %s has no %s", ErrUnsupported, i, t.Name, g.OpName(n))
			}
		}
	}
	e := &emitter{f: f, t: t, ndim: ndim, lanes: lanesOf(f, t), unroll: interleave(f, t), known: intervals(f), loops: 2, declared: map[string]bool{}, tables: map[string]string{}, faults: faults, masked: masked}
	for _, p := range f.Params {
		e.operand(p.Type)
	}
	for _, r := range f.Results {
		e.operand(f.Nodes[r].Type)
	}
	e.entries(names)
	if r, ok := seldom(f, t); ok && !faults {
		e.contiguous("careful")
		e.f, e.lanes, e.unroll, e.known, e.rarely = r.usual, lanesOf(r.usual, t), interleave(r.usual, t), intervals(r.usual), &r
	}
	e.rooted = e.rarely == nil && !faults && rooted(e.f, t)
	e.mayJump = e.rarely == nil && !e.rooted // whose loops are made of other blocks
	e.contiguous("contiguous")
	e.strided()
	e.packing()
	return e.module(), nil
}

// emitter writes one kernel. The text of a function grows in two places: the constants and the rest.
type emitter struct {
	f      *ir.Func
	t      Target
	ndim   int
	lanes  int // of every vector
	unroll int // vectors that an iteration of the main loop computes
	known  []interval

	operands []format  // inputs, then outputs
	types    []ir.Type // likewise
	faults   bool      // the program divides integers
	masked   bool      // the last input is a mask of what is stored

	consts strings.Builder
	splats map[string]string // element type and value -> name
	body   strings.Builder
	values int    // numbered so far in this function
	rounds int    // loops of the program, likewise
	block  string // label of the block that is being written

	rowInputs int     // of a kernel over rows: its operands that are read; otherwise 0
	rarely    *rarely // of the program, f being the usual part; nil: f is all of it

	mayJump bool // over dear arms of choices

	rooted bool // the main loops make roots by steps; see roots
	steps  bool // and so does what is being written

	active []string // by vector, the lanes that are computed; nil: all
	at     int      // the vector that is computed

	functions strings.Builder   // finished
	loops     int               // numbered so far; 0 and 1 are other metadata
	weights   []int             // numbers among them that are those of branches to a rare part
	declared  map[string]bool   // lines
	tables    map[string]string // in memory: data -> name
}

func (e *emitter) operand(t ir.Type) {
	e.operands, e.types = append(e.operands, formatOf(t)), append(e.types, t)
}

// inputs is the number of operands that are read; the others are written.
func (e *emitter) inputs() int {
	if e.rowInputs > 0 {
		return e.rowInputs
	}
	return len(e.f.Params)
}

func (e *emitter) line(format string, args ...any) {
	e.body.WriteString("  ")
	fmt.Fprintf(&e.body, format, args...)
	e.body.WriteByte('\n')
}

func (e *emitter) label(format string, args ...any) {
	e.block = fmt.Sprintf(format, args...)
	e.body.WriteString(e.block + ":\n")
}

// value emits an instruction and returns the number that its result has been given.
func (e *emitter) value(format string, args ...any) string {
	name := e.name()
	e.line("%s = %s", name, fmt.Sprintf(format, args...))
	return name
}

// name numbers a result.
func (e *emitter) name() string {
	e.values++
	return fmt.Sprintf("%%v%d", e.values-1)
}

// function adds a function with a head and the body that emit writes.
func (e *emitter) function(head string, emit func()) {
	e.consts.Reset()
	e.body.Reset()
	e.splats, e.values, e.rounds, e.block = map[string]string{}, 0, 0, "entry"
	emit()
	fmt.Fprintf(&e.functions, "define %s {\nentry:\n%s%s}\n\n", head, e.consts.String(), e.body.String())
}

// module puts the parts together.
func (e *emitter) module() string {
	var b strings.Builder
	fmt.Fprintf(&b, "target triple = \"%s\"\n\n", e.t.Triple)
	b.WriteString(e.functions.String())
	for _, line := range slices.Sorted(maps.Keys(e.declared)) {
		b.WriteString(line + "\n")
	}
	// Without no-builtins a loop that copies becomes a call of memcpy. LLVM prefers 256-bit registers on x86-64-v4 unless told.
	fmt.Fprintf(&b, "\nattributes #0 = { nounwind \"no-builtins\" \"target-cpu\"=\"%s\"", e.t.CPU)
	if e.t.VectorBits == 512 {
		b.WriteString(" \"prefer-vector-width\"=\"512\" \"min-legal-vector-width\"=\"512\"")
	}
	b.WriteString(" }\n\n")
	b.WriteString("!0 = !{!\"llvm.loop.unroll.disable\"}\n!1 = !{i32 1}\n") // 1: the operand of nontemporal
	for i := 2; i < e.loops; i++ {
		if slices.Contains(e.weights, i) {
			fmt.Fprintf(&b, "!%d = !{!\"branch_weights\", i32 4096, i32 1}\n", i)
			continue
		}
		fmt.Fprintf(&b, "!%d = distinct !{!%d, !0}\n", i, i)
	}
	return b.String()
}

// fromTo is compute of the kernel's program, for vectors as they are in memory. mask is what may be stored; nil: all.
func (e *emitter) fromTo(params [][]string, vectors int) (results [][]string, mask []string) {
	for i, p := range params {
		for u := range p {
			p[u] = e.fromMemory(e.types[i], p[u])
		}
	}
	tail := e.active
	if e.masked {
		e.active = params[len(params)-1]
		if tail != nil {
			e.active = []string{e.op("and", ir.Bool, tail[0], e.active[0])}
		}
	}
	mask = e.active
	defer func() { e.active = nil }()
	for i, r := range e.compute(params, vectors) {
		result := make([]string, vectors)
		for u := range r {
			result[u] = e.toMemory(e.types[e.inputs()+i], r[u])
		}
		results = append(results, result)
	}
	return results, mask
}

// compute emits the program once for each of several independent vectors, operation by operation. A comparison comes with
// the first choice that it steers: x86-64-v4 has only seven registers for masks. params and the results are indexed by
// operand, then vector.
func (e *emitter) compute(params [][]string, vectors int) [][]string {
	vals := make([][]string, len(e.f.Nodes))
	loops := map[ir.Value][][]string{} // the results
	for i := range vals {
		vals[i] = make([]string, vectors)
	}
	var emit func(i, u int) string
	emit = func(i, u int) string {
		n := e.f.Nodes[i]
		if vals[i][u] != "" {
			return vals[i][u]
		}
		switch n.Op {
		case ir.Param:
			vals[i][u] = params[n.Imm][u]
		case ir.Const:
			vals[i][u] = e.constant(n.Type, n.Imm)
		case ir.Real:
			vals[i][u] = e.constant(n.Type, ir.RoundReal(n.Type, e.f.Reals[n.Imm]))
		case ir.Proj:
			vals[i][u] = loops[n.Args[0]][n.Imm][u]
		default:
			e.at = u
			m := e.f.Nodes[n.Args[0]]
			if n.Op == ir.Abs && m.Op == ir.MinMag && e.ranges(m) {
				const positive = 2 << 2
				vals[i][u] = e.smaller(m, positive, emit(int(m.Args[0]), u), emit(int(m.Args[1]), u))
				break
			}
			if x, sign, ok := signed(e.f, n); ok && !(e.known[sign.Args[0]].nan && exposed(e.f, sign, sign.Args[0])) {
				vals[i][u] = e.flip(n.Type, emit(int(x), u), emit(int(sign.Args[0]), u), e.f.Table(sign))
				break
			}
			var args []string
			for _, a := range n.Operands() {
				args = append(args, emit(int(a), u))
			}
			e.at = u
			vals[i][u] = e.lower(n, args)
		}
		return vals[i][u]
	}
	jumps, owner := e.jumps(e.f)
	var node func(i int)
	node = func(i int) {
		n := e.f.Nodes[i]
		for k, j := range jumps {
			if j.choices[0] == i {
				e.over(j, vals, emit, func(i int) {
					if owner[i] == k+1 {
						node(i)
					}
				})
			}
		}
		if n.Op == ir.Loop {
			first, used := make([][]string, len(e.f.Body(n).Params)), make([]bool, len(e.f.Body(n).Params))
			for v, a := range e.f.Elements(n.Args[0]) {
				for u := range vectors {
					first[v] = append(first[v], emit(int(a), u))
				}
			}
			for _, m := range e.f.Nodes {
				if m.Op == ir.Proj && int(m.Args[0]) == i {
					used[m.Imm] = true
				}
			}
			loops[ir.Value(i)] = e.runLoop(e.f.Body(n), first, used)
		}
		if n.Type == ir.Bool || n.Type == ir.Tuple {
			return
		}
		if e.steps && stepped(n) {
			vals[i] = e.roots(vals[n.Args[0]])
			return
		}
		for u := range vectors {
			emit(i, u)
		}
	}
	for i := range e.f.Nodes {
		if owner[i] == 0 {
			node(i)
		}
	}
	var results [][]string
	for _, r := range e.f.Results {
		for u := range vectors {
			emit(int(r), u)
		}
		results = append(results, vals[r])
	}
	return results
}
