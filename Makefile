# make              the engine, at EXE (OpenBench and fishtest pass EXE=name CC=go)
# make queue        the program for many machines, at ./trefoil-queue
# make test         what must pass before every commit
# make test-long    the tests that take minutes
# make test-page    the page of trefoil web in Chromium and Firefox
# make test-deploy  the recipes of docs/scale.md with GNU parallel, Slurm and buildah
# make screenshots  renew the pictures of docs/web.md
# make race         the tests of what runs in parallel, under the race detector
# make fuzz         half a minute for every fuzz target
# make bench        search fixed positions; ends with: N nodes M nps
# make pgo          renew default.pgo, the profile that guides builds, from benches and proof search
# make site        the page with the engine in WebAssembly, for any web server that has files, at ./site
# make spsa         the tuner of search parameters, at ./spsa
# make release      archives of both programs for Linux, macOS and Windows and Debian packages in dist; ONLY=REGEXP for some
# make module       renames the module so that go get can fetch it: MODULE=example.org/trefoil
# make clients      runs the clients of UCI engines that are installed, and prints a table
# make release-check  a second build, elsewhere and without cache, is the same; bench signatures of the builds
# make mutants      changes the code in small ways and lists what no test notices; MUTANTS="clock window" for some
# make golden       rewrite the imports, the options in docs and the handshakes that tests compare with the code
# make signature    write the nodes of all benches to tests/bench.txt
# make check        what .ci/run checks
# make help         this list

EXE ?= trefoil
# The page is served without TLS, so it never speaks HTTP/2.
TAGS ?= nethttpomithttp2
FUZZTIME ?= 30s
ONLY ?=
DIST ?= dist
SITE ?= site
MUTANTS ?=
MODULE ?=
GO = $(if $(filter go,$(notdir $(firstword $(CC)))),$(CC),go)

.PHONY: build queue test test-long test-page test-deploy screenshots race fuzz mutants bench pgo spsa site release release-check module clients golden signature check clean help

# The version that git describe prints; empty where the sources are an archive, also one that was unpacked inside
# another repository, as OpenBench does.
STAMP := $(if $(wildcard .git),$(shell git describe --tags --always --dirty 2>/dev/null))

LDFLAGS = -s -w -X trefoil/internal/version.stamp=$(STAMP)

# Without cgo the go command has no use for CC, which make passes on and which may be go.
build queue: export CGO_ENABLED = 0
build:
	$(GO) build -buildvcs=false -trimpath -ldflags "$(LDFLAGS)" -tags "$(TAGS)" -o $(EXE) .

queue:
	$(GO) build -buildvcs=false -trimpath -pgo=default.pgo -ldflags "$(LDFLAGS)" -o trefoil-queue ./cmd/trefoil-queue

test:
	$(GO) test ./...

test-long:
	$(GO) test ./game/chess ./game/shogi ./cluster ./remainder ./window ./search/exact ./cmd/trefoil-queue/internal/jobproof/games ./search/mate ./search/proof ./ttanalysis/observe ./tools/referee/retrograde ./tools/module ./syzygy -long -timeout 60m
	$(GO) test ./tests -long -timeout 60m

test-page:
	cd web/browsertest && $(GO) test ./...

test-deploy:
	cd cmd/trefoil-queue/deploy/deploytest && $(GO) test ./...

screenshots:
	cd web/browsertest && $(GO) test -count=1 -run Screenshots -screenshots "$(CURDIR)/docs/web" .

# Positions with known answers test no races, and take ten times as long here.
race:
	TREFOIL_TESTDATA= $(GO) test -race -timeout 30m ./options ./protocol ./engine/... ./internal/... ./cluster ./remainder ./window ./cmd/trefoil-queue/internal/... ./search/...
	TREFOIL_TESTDATA= $(GO) test -race -timeout 30m ./syzygy -run 'Problems|Cut|Pipe'
	TREFOIL_TESTDATA= $(GO) test -race -timeout 30m ./ttanalysis/observe -run Threads
	TREFOIL_TESTDATA= $(GO) test -race -timeout 30m ./tests -run Monkey

fuzz:
	@module=$$(GOWORK=off $(GO) list -m) && packages=$$($(GO) list ./...) || exit 1; for p in $$packages; do \
		dir=.$${p#$$module}; \
		for f in $$(grep -hos '^func Fuzz[A-Za-z0-9]*' $$dir/*_test.go | cut -c6-); do \
			echo "$$p $$f"; $(GO) test $$p -run '^$$' -fuzz "^$$f$$" -fuzztime $(FUZZTIME) || exit 1; \
		done; \
	done

mutants:
	$(GO) run ./tools/mutants -state mutants.json $(MUTANTS)

bench: build
	$(abspath $(EXE)) bench

pgo:
	$(GO) test ./engine -trimpath -run '^$$' -bench Bench -benchtime 20s -cpuprofile default.pgo -o /dev/null

spsa:
	$(GO) build -pgo=default.pgo -o $@ ./tools/spsa

site:
	mkdir -p "$(SITE)"
	cp -R web/page/. "$(SITE)"
	cp web/site/*.js command/licenses.txt "$$($(GO) env GOROOT)/lib/wasm/wasm_exec.js" "$(SITE)"
	GOOS=js GOARCH=wasm $(GO) build -buildvcs=false -trimpath -ldflags "$(LDFLAGS)" -tags "$(TAGS)" -o "$(SITE)/trefoil.wasm" ./web/site
	gzip -9nf "$(SITE)/trefoil.wasm"
	@cd "$(SITE)" && wc -c trefoil.wasm.gz && echo "$$(find . -type f ! -name '*.gz' -exec gzip -cn {} + | wc -c) the other files, with gzip"

release:
	$(GO) run -ldflags "$(LDFLAGS)" ./tools/release -stamp "$(STAMP)" -only "$(ONLY)" -o "$(DIST)"

release-check: release
	.ci/release "$(DIST)" "$(ONLY)"

module:
	$(GO) run ./tools/module "$(MODULE)"

clients:
	.ci/clients

golden:
	$(GO) test -count=1 ./tests -update -run 'Imports|Option|Handshake'

signature: build
	@while read -r name depth _; do \
		text=$$($(abspath $(EXE)) bench --variant $$name $${depth#-}) || { rm tests/bench.new; exit 1; }; \
		echo "$$name $$depth $$(echo "$$text" | awk 'END { print $$1 }')"; \
	done < tests/bench.txt > tests/bench.new && mv tests/bench.new tests/bench.txt && cat tests/bench.txt
	$(GO) test ./search/alphabeta ./search/exact ./search/mate ./search/proof -run Signature -update

check:
	.ci/run

clean:
	rm -rf $(EXE) trefoil-queue spsa dist

help:
	@sed -n 's/^# make/make/p' $(firstword $(MAKEFILE_LIST))
