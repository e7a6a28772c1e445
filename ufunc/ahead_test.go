package ufunc

import (
	"encoding/json"
	"errors"
	"reflect"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/go-yolk/yolk/rules"
)

// Every field of config tells kernels apart that were compiled ahead of time, or stands here with the reason why it does not.
func TestSentenceIsComplete(t *testing.T) {
	elsewhere := map[string]string{
		"off":        "in the rules, which are compared",
		"check":      "nothing that was compiled ahead of time is taken then",
		"target":     "decides which library is taken",
		"source":     "decides only which function it is",
		"name":       "in the bond",
		"threads":    "decides how the code is called",
		"mustNative": "decides nothing about the code",
		"noCache":    "decides nothing about the code",
		"tune":       "nobody can time another machine: what was compiled ahead of time is not tuned",
		"report":     "decides nothing about the code",
		"masked":     "such kernels are made of others",
		"neutral":    "decides how reductions begin",
		"errs":       "there is no kernel",
	}
	op := &Op{}
	op.def = NewOp(OpSpec{Name: "aheadtest", Func: func(x float64) float64 { return x }}).def
	changes := map[string]Option{
		"all":       Domain(0, 1),
		"one":       DomainOf(1, 0, 1),
		"tolerance": WithinULP(2),
		"licences":  Deny(Contract),
		"rules":     Rules(rules.Ring),
		"without":   func(c *config) { c.without = []string{"add-zero"} },
		"ops":       Ops(op),
		"costs":     Cost(DemoCosts()),
		"binds":     func(c *config) { c.binds = map[string]any{"c": 1.5} },
		"strict":    func(c *config) { c.strict = true },
		"portable":  Portable(),
	}
	seen := map[string]string{}
	for f := range reflect.TypeFor[config]().Fields() {
		change, changed := changes[f.Name]
		if _, known := elsewhere[f.Name]; known == changed {
			t.Errorf("does the field %s tell kernels apart? Put it into sentence, or say here why not", f.Name)
			continue
		}
		if !changed {
			continue
		}
		c, err := newConfig([]Option{change})
		if err != nil {
			t.Fatal(err)
		}
		if other := seen[c.sentence()]; other != "" {
			t.Errorf("%s and %s: both %s", f.Name, other, c.sentence())
		}
		seen[c.sentence()] = f.Name
	}
}

func TestSplitSymbol(t *testing.T) {
	for symbol, want := range map[string][2]string{
		"main.gelu":                            {"main", "gelu"},
		"example.com/a/b.init.0":               {"example.com/a/b", "init.0"},
		"gopkg.in/yaml%2ev3.f":                 {"gopkg.in/yaml.v3", "f"},
		"example.com/a.gen[...]":               {"example.com/a", "gen[...]"},
		"github.com/go-yolk/yolk/ufunc.typed":  {selfPackage, "typed"},
		"github.com/go-yolk/yolk/ufunc_test.x": {selfPackage + "_test", "x"},
	} {
		if pkg, name := splitSymbol(symbol); pkg != want[0] || name != want[1] {
			t.Errorf("%s: %q %q", symbol, pkg, name)
		}
	}
}

// What is wrong with a manifest is an error of every kernel of its package, and of no other.
func TestBrokenManifests(t *testing.T) {
	b := bond{Func: ".f", Type: "func(float32) float32", DType: "f32", NDim: 1}
	text := func(m manifest) string {
		data, err := json.Marshal(m)
		if err != nil {
			t.Fatal(err)
		}
		return string(data)
	}
	for _, c := range []struct{ name, manifest, want string }{
		{"none", "", "file does not exist"},
		{"no JSON", "{", "unexpected end of JSON input"},
		{"another format", text(manifest{Format: 99}), "has format 99, this yolk reads 1"},
		{"twice", text(manifest{Format: manifestFormat, Kernels: []*aheadKernel{{bond: b}, {bond: b}}}), "is registered twice, by p/gen and by p/gen"},
	} {
		t.Run(c.name, func(t *testing.T) {
			files := fstest.MapFS{}
			if c.manifest != "" {
				files[manifestFile] = &fstest.MapFile{Data: []byte(c.manifest)}
			}
			r := &registry{kernels: map[bond]*aheadKernel{}, broken: map[string]error{}}
			r.register(&shipment{pkg: "p", where: "p/gen", files: files})
			if _, err := r.of("p"); !errors.Is(err, ErrEmbedded) || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%v, want %s", err, c.want)
			}
			if _, err := r.of("q"); err != nil {
				t.Errorf("another package: %v", err)
			}
		})
	}
}
