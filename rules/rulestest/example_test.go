package rulestest_test

import (
	"fmt"

	"github.com/go-yolk/yolk/rules"
	"github.com/go-yolk/yolk/rules/rulestest"
)

func ExampleCheck() {
	mine, err := rules.Parse("mine.rules", `
# Two laws of my own.
double:   2 * x   => x + x
cancel:   x - x   => 0
tanh-one: tanh(x) ~> x  on abs(x) <= 0.01 within 1e-7 abs ! afn
`)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, f := range rulestest.Check(mine, rulestest.Options{}) {
		fmt.Printf("%s: %s: %s\n", f.Pos, f.Rule, f.Reason)
	}
	// Output:
	// mine.rules:4: cancel: other licences are needed than declared
	// mine.rules:5: tanh-one: the error exceeds the bound
}
