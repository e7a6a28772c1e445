package ufunc

import (
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/go-yolk/yolk/compiler/ir"
	"github.com/go-yolk/yolk/rules"
)

// Every field of config is a part of a kernel's identity, or stands here with the reason why it is none.
func TestIdentityIsComplete(t *testing.T) {
	elsewhere := map[string]string{
		"all":        "in the function, and in domains",
		"one":        "in the function, and in domains",
		"ops":        "there is no identity",
		"check":      "there is no identity",
		"off":        "in rules",
		"without":    "in rules",
		"source":     "decides only which function it is",
		"binds":      "in the function, which is looked at each time",
		"name":       "in the function's text, and in sourceIdentity",
		"threads":    "decides how the code is called",
		"mustNative": "decides nothing about the code, and is in what a process shares",
		"noCache":    "there is no identity",
		"neutral":    "decides how reductions begin",
		"report":     "decides nothing about the code",
		"errs":       "there is no kernel",
	}
	changes := map[string]func(c *config){
		"tolerance": func(c *config) { WithinULP(2)(c) },
		"licences":  func(c *config) { Deny(Contract)(c) },
		"rules":     func(c *config) { c.rules = rules.Ring },
		"costs":     func(c *config) { c.costs = DemoCosts() },
		"target":    func(c *config) { c.target = "x86-64-v2" },
		"strict":    func(c *config) { c.strict = true },
		"masked":    func(c *config) { c.masked = true },
		"portable":  func(c *config) { c.portable = true },
		"tune":      func(c *config) { c.tune = true },
	}
	plain := func() *config {
		c, err := newConfig(nil)
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	seen := map[string]string{}
	for f := range reflect.TypeFor[config]().Fields() {
		change, changed := changes[f.Name]
		if _, known := elsewhere[f.Name]; known == changed {
			t.Errorf("is the field %s a part of the identity? Put it into identity, or say here why not", f.Name)
			continue
		}
		c := plain()
		if changed {
			change(c)
		}
		text, ok := c.identity()
		if !ok {
			t.Errorf("%s: no identity", f.Name)
		}
		if other, same := seen[text]; same && changed {
			t.Errorf("%s and %s have one identity:\n%s", f.Name, other, text)
		}
		if changed {
			seen[text] = f.Name
		}
	}
	costs := plain()
	costs.costs = DemoCosts().Set(ir.Add, 2)
	if text, _ := costs.identity(); seen[text] != "" {
		t.Error("costs: the numbers do not count")
	}
}

// Functions have equal identities if and only if they are the same with the same types and options; closures, literals and traced functions have
// none.
func TestSourceIdentity(t *testing.T) {
	c, err := newConfig(nil)
	if err != nil {
		t.Fatal(err)
	}
	k := 2.
	seen := map[string]string{}
	for name, fn := range map[string]any{
		"Exp[float32]": Exp[float32], "Exp[float64]": Exp[float64], "Exp[length]": Exp[length], "Log[float32]": Log[float32],
		"tagged[int]": tagged[int], "tagged[uint]": tagged[uint], "twice": twice,
	} {
		id := sourceIdentity(fn, Float32, 1, c)
		if id == "" || id != sourceIdentity(fn, Float32, 1, c) {
			t.Errorf("%s: identity %q", name, id)
		}
		if other := seen[id]; other != "" {
			t.Errorf("%s and %s have one identity: %s", name, other, id)
		}
		seen[id] = name
	}
	domain, err := newConfig([]Option{Domain(0, 1)})
	if err != nil {
		t.Fatal(err)
	}
	for what, id := range map[string]string{
		"dtype": sourceIdentity(twice, Float64, 1, c), "ndim": sourceIdentity(twice, Float32, 2, c), "domain": sourceIdentity(twice, Float32, 1, domain),
	} {
		if seen[id] != "" {
			t.Errorf("%s does not count", what)
		}
	}
	for name, fn := range map[string]any{
		"closure": func(x float64) float64 { return k * x }, "literal": func(x float64) float64 { return x },
		"traced": func(x Value) Value { return x }, "method value": length(1).times,
	} {
		if id := sourceIdentity(fn, Float64, 1, c); id != "" {
			t.Errorf("%s: identity %q", name, id)
		}
	}
}

type length float32

func (l length) times(x float64) float64 { return float64(l) * x }

func twice(x float32) float32 { return 2 * x }

//go:noinline
func tagged[T any](x float32) float32 { return x + float32(reflect.TypeFor[T]().Size()) }

// Sets have identities: equal for equal ones, different for others, none if they call operations of the program.
func TestRuleIdentity(t *testing.T) {
	parse := func(file, text string) rules.Set {
		s, err := rules.Parse(file, text)
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	without := func(s rules.Set, names ...string) rules.Set {
		s, err := s.Without(names...)
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	law := "mine: x + 0 => x ! nsz"
	different := []rules.Set{
		{}, rules.Ring, rules.Default, parse("mine.rules", law), parse("ring.rules", law), parse("mine.rules", "mine: x*1 => x"),
		rules.Union(rules.Ring, rules.Field), rules.Union(rules.Field, rules.Ring), without(rules.Ring, "add-zero"), without(rules.Ring, "add-comm"),
		rules.Ring.Granted(ir.Reassoc), rules.Union(rules.Union(rules.Ring, rules.Field), rules.Signs), rules.Union(rules.Ring, rules.Union(rules.Field, rules.Signs)),
	}
	var ids []string
	for _, s := range different {
		if s.ID() == "" || slices.Contains(ids, s.ID()) {
			t.Errorf("%s: identity %q", s.Name(), s.ID())
		}
		ids = append(ids, s.ID())
	}
	if parse("mine.rules", law).ID() != ids[3] || rules.Union(rules.Ring, rules.Field).ID() != ids[6] {
		t.Error("equal sets have different identities")
	}
	op := NewOp(OpSpec{Name: "odd_j0", Func: math.J0})
	own, err := rules.Parse("own.rules", "own: odd_j0(x) => odd_j0(-x)", op.Def())
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range []rules.Set{own, rules.Union(rules.Ring, own), own.Granted(0)} {
		if s.ID() != "" {
			t.Errorf("%s calls an operation of the program's and has the identity %q", s.Name(), s.ID())
		}
	}
}

// The build ID is found in this program as the go command finds it, and in nothing else.
func TestBuildID(t *testing.T) {
	for _, head := range []string{"", "\xff Go build ID: \"", "\x04\x00\x00\x00Go\x00\x00", strings.Repeat("x", 5000) + "\x04\x00\x00\x00Go\x00\x00", "\xff\xff\xff\xff\x04\x00\x00\x00Go\x00\x00ab"} {
		if id := buildID([]byte(head)); id != "" {
			t.Errorf("%.20q has the build ID %q", head, id)
		}
	}
	if id := buildID([]byte("\x7fELF\x03\x00\x00\x00\x04\x00\x00\x00Go\x00\x00abcde")); id != "abc" {
		t.Errorf("in a note: %q", id)
	}
	if id := buildID([]byte("MZ..\xff Go build ID: \"a/b\"\n \xff..")); id != "a/b" {
		t.Errorf("in the text: %q", id)
	}
	if library() == "" || program() == "" || library() != program() { // tests are built from the module itself
		t.Errorf("library %q, program %q", library(), program())
	}
}
