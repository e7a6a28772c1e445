package ufunc_test

import (
	"context"
	"strings"
	"testing"

	"github.com/go-yolk/yolk/rules"
	"github.com/go-yolk/yolk/ufunc"
)

func TestDebug(t *testing.T) {
	lie, err := rules.Parse("lie.rules", "lie: tanh(x) => x ! reassoc")
	if err != nil {
		t.Fatal(err)
	}
	compile := func(settings string) (*ufunc.Kernel, error) {
		t.Setenv("YOLK_DEBUG", settings)
		return ufunc.Compile(context.Background(), tanh32, ufunc.Float32, 1, ufunc.Rules(lie, rules.Default))
	}
	// Unchecked, measurement refuses what the false law makes, and a good candidate is found.
	if _, err := compile(""); err != nil {
		t.Error(err)
	}
	if _, err := compile("check=1"); err == nil || !strings.Contains(err.Error(), "lie (lie.rules:1)") {
		t.Errorf("a false law is not named: %v", err)
	}
	if _, err := compile("check=1,rules=-lie"); err != nil {
		t.Errorf("with the law left out: %v", err)
	}
	k, err := compile("rules=-tanh-float32-6:-lie")
	if err != nil {
		t.Fatal(err)
	}
	for _, form := range k.Report().Forms {
		if form == "tanh-float32-6" {
			t.Error("the rule left out is used")
		}
	}
	for _, settings := range []string{"chekc=1", "check=2", "rules=tanh-float32-6"} {
		if _, err := compile(settings); err == nil || !strings.Contains(err.Error(), "YOLK_DEBUG") {
			t.Errorf("%s: %v", settings, err)
		}
	}
}
