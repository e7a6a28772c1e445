# Two commands set yolk up on a fresh machine with Go and make: `make demo` and `make test`. Both install a clang if they may.
GO ?= go
STATICCHECK = honnef.co/go/tools/cmd/staticcheck@v0.8.2

.DEFAULT_GOAL := help
.PHONY: help setup demo test race check golden bench rules-exhaustive approx fuzz

help: ## this list
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1\t\2/p' $(MAKEFILE_LIST) | expand -t 26

setup: ## install clang where it is missing and that is allowed
	@sh scripts/setup.sh

demo: setup ## compile gelu, check it, time it against the plain Go loop
	@$(GO) run ./examples/gelu

test: setup ## all tests
	$(GO) test ./...

race: setup ## all tests under the race detector (needs cgo)
	CGO_ENABLED=1 $(GO) test -race ./...

check: ## gofmt, vet, staticcheck, go.mod tidy, a doc for every package
	@test -z "$$(gofmt -l .)" || { echo "gofmt would change:"; gofmt -l .; exit 1; }
	$(GO) vet ./...
	$(GO) run $(STATICCHECK) ./...
	$(GO) mod tidy -diff
	@for d in $$($(GO) list -f '{{if .GoFiles}}{{.Dir}}{{end}}' ./...); do \
		grep -lqE '^// (Package|Command) ' $$d/*.go || { echo "$$d has no package comment"; exit 1; }; done

golden: setup ## rewrite the golden texts
	$(GO) test ./... -run 'Golden' -update

bench: setup ## end-to-end benchmarks
	$(GO) test -run '^$$' -bench . -benchtime 200ms .

rules-exhaustive: ## check every form over all of float32 (minutes)
	$(GO) test ./rules/... -exhaustive -timeout 60m -v -run 'Exhaustive|Forms'

approx: ## make the polynomial coefficients of the rules again
	$(GO) run ./rules/minimax/cmd/approx

fuzz: ## fuzz the text parsers, a minute each
	$(GO) test ./compiler/ir -run '^$$' -fuzz FuzzParse -fuzztime 60s
	$(GO) test ./rules -run '^$$' -fuzz FuzzParse -fuzztime 60s
