# Two commands set yolk up on a fresh machine with Go and make: `make demo` and `make test`. Both install a clang if they may.
GO ?= go
# The tests that import this package have the flag -update.
GOLDEN = github.com/go-yolk/yolk/internal/golden
STATICCHECK = honnef.co/go/tools/cmd/staticcheck@v0.8.2

.DEFAULT_GOAL := help
.PHONY: help setup demo test race check golden emulate platforms bench peers rules rules-exhaustive approx calibrate accuracy faults fuzz

help: ## this list
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1\t\2/p' $(MAKEFILE_LIST) | expand -t 26

setup: ## install clang where it is missing and that is allowed
	@sh scripts/setup.sh

demo: setup ## compile gelu, check it, time it against the plain Go loop
	@$(GO) run ./examples/gelu

test: ## all tests
	@sh scripts/setup.sh test
	$(GO) test ./...

race: setup ## what runs concurrently, under the race detector (needs cgo)
	CGO_ENABLED=1 $(GO) test -race ./internal/... ./jit/... ./ufunc/internal/... ./compiler/interp
	CGO_ENABLED=1 $(GO) test -race ./compiler/accuracy -run 'Sweep|Survey|Through|Judge'
	CGO_ENABLED=1 $(GO) test -race ./ufunc -run 'Together|Threads|Once|Signals|Race|Operands|Mask|Rows'

check: ## gofmt, vet, staticcheck, go.mod tidy, a doc for every package
	@test -z "$$(gofmt -l .)" || { echo "gofmt would change:"; gofmt -l .; exit 1; }
	$(GO) vet ./...
	$(GO) run $(STATICCHECK) ./...
	$(GO) mod tidy -diff
	cd bench && $(GO) vet . && $(GO) mod tidy -diff
	@for d in $$($(GO) list -f '{{if .GoFiles}}{{.Dir}}{{end}}' ./...); do \
		grep -lqE '^// (Package|Command) ' $$d/*.go || { echo "$$d has no package comment"; exit 1; }; done

golden: setup ## rewrite the golden texts
	$(GO) test $$($(GO) list -f '{{range .TestImports}}{{if eq . "$(GOLDEN)"}}{{$$.ImportPath}}{{end}}{{end}}{{range .XTestImports}}{{if eq . "$(GOLDEN)"}}{{$$.ImportPath}}{{end}}{{end}}' ./... | sort -u) -update

emulate: ## native code on emulated processors: arm64, lower x86-64 levels (installs qemu where that is allowed)
	@GO=$(GO) sh scripts/emulate.sh

platforms: ## build and vet for every platform, run what can be run elsewhere
	@GO=$(GO) sh scripts/platforms.sh

bench: setup ## end-to-end benchmarks
	$(GO) test -run '^$$' -bench . -benchtime 200ms .

peers: setup ## time kernels beside other libraries and write docs/performance.md; ARGS='-functions gelu -sizes 4096' for a part
	@sh scripts/peers.sh
	cd bench && $(GO) run . $(ARGS)

rules: ## check every law by numbers
	$(GO) test -count=1 ./rules/...

rules-exhaustive: ## check laws and forms of one variable over all of float32 (hours)
	$(GO) test ./rules/rulestest -exhaustive -timeout 0 -v -run TestShippedLaws

approx: ## make the polynomial coefficients of the rules again
	$(GO) run ./rules/minimax/cmd/approx

calibrate: setup ## measure operations with the compiler itself, beside the machine model
	$(GO) run ./cmd/calibrate

accuracy: ## measure what has changed and write docs/accuracy.md; SWEEP=-sweep tries all float32 inputs (half an hour on two cores)
	$(GO) run ./cmd/accuracy $(SWEEP)

faults: setup ## kill, race and damage processes that use the cache (minutes)
	YOLK_TEST_FAULTS=1 YOLK_REQUIRE_NATIVE=1 $(GO) test ./ufunc -count=1 -timeout 0 -v -run 'TestRacingProcesses|TestKilledWhileBuilding|TestDamagedEntries'

fuzz: ## fuzz the text parsers and random Go functions, a minute each
	$(GO) test ./compiler/gosrc -run '^$$' -fuzz FuzzGenerated -fuzztime 60s
	$(GO) test ./compiler/gosrc -run '^$$' -fuzz FuzzLoadText -fuzztime 60s
	$(GO) test ./compiler/ir -run '^$$' -fuzz FuzzParse -fuzztime 60s
	$(GO) test ./rules -run '^$$' -fuzz FuzzParse -fuzztime 60s
