# Everything here works offline but audit, which installs its tools first.
.DEFAULT_GOAL := check
.PHONY: build check format vet lint test race fuzz quality bench-search bench-parsing web leaktest sabotage audit clean

DATA ?= $(CURDIR)/../shared

build: ## the program, without cgo
	CGO_ENABLED=0 go build -trimpath -o kaoju ./cmd/kaoju

check: format vet lint race ## what a change must pass; import policy, sizes and links are tests

format:
	@test -z "$$(gofmt -l .)" || { echo "gofmt would change:"; gofmt -l .; exit 1; }

vet:
	go vet ./...

lint: ## only where the linter is installed; make audit installs it
	scripts/lint --cached

test: ## what a bare machine can run
	go test ./...

race: ## the same under the race detector, which needs a C compiler
	scripts/race ./...

fuzz: ## ten seconds for each fuzz target
	scripts/fuzz 10s

quality: ## retrieval, checks, disagreements and abstaining measured on the public collections in DATA, in full
	KAOJU_TEST_DATA=$(DATA) KAOJU_TEST_REQUIRE=shared,quality go test -count=1 -v -timeout 60m -run Quality ./...

SIZES ?= 10000 100000 1000000
RESULTS = $(CURDIR)/docs/benchmarks/search.json

bench-search: ## search under permissions beside bleve and FTS5; the engines are of the module in bench
	cd bench && for n in $(SIZES); do go run . -data $(DATA)/data/eval -chunks $$n -results $(RESULTS) || exit 1; done
	cd bench && go run . -results $(RESULTS) -report $(CURDIR)/docs/benchmarks

bench-parsing: ## reading of every format, and of PDF documents beside pdftotext; needs poppler and the data
	cd bench && go run ./parsing -data $(DATA) -page $(CURDIR)/docs/benchmarks/parsing.md

web: ## the web interface, tested and built into internal/web/dist
	npm --prefix web test
	npm --prefix web run build

leaktest: ## a thousand random sequences against the rule of who may see what
	go test -count=1 -v -timeout 60m -run TestNothingReaches ./internal/leaktest -leaktest.sequences=1000

sabotage: ## every fault in the list must be caught by a test
	KAOJU_TEST_REQUIRE=sabotage go test -count=1 -v -timeout 90m -run TestEveryFault ./internal/leaktest

audit: ## lint, known vulnerabilities, licences; installs the tools, needs the network
	scripts/lint
	scripts/vulnerabilities
	scripts/licences

clean:
	rm -rf kaoju .cache
