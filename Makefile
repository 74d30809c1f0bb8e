# Hedgehop: what can be done from a terminal. `make` alone lists it.

GO    ?= go
TOOL  := $(GO) tool -modfile=tools/go.mod
# Without the tag gRPC, which only OTLP's generated code refers to, brings its own
# request tracing, and html/template with it: 22 MB become 32.
FLAGS := -trimpath -tags grpcnotrace

.DEFAULT_GOAL := help
.PHONY: help run build test soak test-needs lint format generate generate-check refdata config-docs image image-test deploy deploy-test bench bench-hedging demo-hedge clean

help: ## list the commands
	@awk 'BEGIN {FS = ":.*## "} /^[a-z-]+:.*## / {printf "  make %-16s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

run: ## start the service on :8080 with sandbox providers, nothing else needed
	SANDBOX_CONTROL=true EVENTS_TOKEN=demo $(GO) run $(FLAGS) ./cmd/search-api

build: ## build the commands into bin/
	CGO_ENABLED=0 $(GO) build $(FLAGS) -ldflags='-s -w' -o bin/ ./cmd/...

test: test-needs ## set up what the tests need, then run them all, the product's with the race detector
	cd deploy/deploytest && $(GO) test -shuffle=on -count=1 ./...
	cd bench && $(GO) test -shuffle=on -count=1 ./...
	$(TOOL) gotestsum --format pkgname-and-test-fails -- -race -shuffle=on -count=1 ./...

soak: test-needs ## a million checked reads from four processes, while everything breaks: not one stale
	SOAK_READS=1000000 $(GO) test -count=1 -timeout 5h -v -run TestNeverStale ./internal/soak

# The race detector needs a C compiler.
test-needs:
	@command -v redis-server >/dev/null && command -v gcc >/dev/null || \
		(apt-get update -qq && apt-get install -y -qq redis-server gcc libc6-dev)
	@command -v promtool >/dev/null || $(MAKE) --no-print-directory bin/promtool

# Taken out of its package: installing that starts a Prometheus on port 9090.
bin/promtool:
	@mkdir -p bin && cd bin && apt-get update -qq && apt-get download -qq prometheus && \
		dpkg-deb --fsys-tarfile prometheus_*.deb | tar -xO ./usr/bin/promtool > promtool.part && \
		chmod +x promtool.part && mv promtool.part promtool && rm prometheus_*.deb

lint: ## run the linters
	$(TOOL) golangci-lint run ./...

format: ## format the code
	$(TOOL) gofumpt -w $$(git ls-files '*.go' ':!*.gen.go')

generate: ## make the generated code anew
	$(GO) generate ./api/...

generate-check: generate ## fail where the generated code is not what the generators make
	git diff --exit-code -- api

refdata: ## make the embedded reference data anew from its sources
	$(GO) generate ./internal/refdata

config-docs: ## write docs/configuration.md anew from the code
	$(GO) test ./cmd/search-api -run TestConfigurationPage -update

image: ## build the container image with docker, podman or buildah
	deploy/image.sh hedgehop/search-api:$$(deploy/version.sh)

# The bases are made of the local toolchain: nothing is pulled. Needs root.
image-test: ## build both images with buildah, look into them and run them
	@command -v buildah >/dev/null || (apt-get update -qq && apt-get install -y -qq --no-install-recommends buildah)
	cd deploy/deploytest && $(GO) test -tags image -run Image -count=1 ./...

deploy: ## build, push and apply cloudrun.yaml: PROJECT=… [REGION=… MANIFEST=…]
	@PROJECT='$(PROJECT)' REGION='$(REGION)' MANIFEST='$(MANIFEST)' deploy/deploy.sh

deploy-test: ## test the manifests, compose.yaml and deploy.sh
	cd deploy/deploytest && $(GO) test -shuffle=on -count=1 ./...

bench: ## the latency laboratory's core: tables in bench/results, charts in docs/img; 15 minutes
	cd bench && $(GO) run ./cmd/hedging-lab -virtual -span 8s -charts ../docs/img
	cd bench && $(GO) run ./cmd/hedging-lab -core -span 2s
	cd bench && $(GO) test -run '^$$' -bench Overhead -count 5 ./contender | tee results/overhead.txt
	cd bench && $(GO) run ./cmd/service-lab
	cd bench && $(GO) run ./cmd/day-lab -charts ../docs/img

bench-hedging: ## every way to hedge under every workload, over real sockets; 70 minutes
	cd bench && $(GO) run ./cmd/hedging-lab -charts ../docs/img

demo-hedge: ## 20 seconds: 300 cold searches with hedging off, then on
	cd bench && $(GO) run ./cmd/demo-hedge

clean: ## remove what was built
	rm -rf bin dist
