# The service as an image: one static binary on a base without a shell or a
# package manager. `make image` builds it; a second target, fare-sandbox, is the
# sandbox providers as a process of their own.
#
# Both bases can be replaced: by a digest, a mirror, or what a test has at hand.
ARG BUILD_IMAGE=docker.io/library/golang:1.26-bookworm
# Distroless static brings CA roots, /tmp and the user nonroot (65532), 2 MB in all:
# https://github.com/GoogleContainerTools/distroless/blob/main/base/README.md.
ARG RUNTIME_IMAGE=gcr.io/distroless/static-debian12:nonroot

# The compiler runs on the machine that builds and compiles for the one that
# runs: an ARM laptop makes an amd64 image for Cloud Run without emulation.
FROM --platform=$BUILDPLATFORM ${BUILD_IMAGE} AS build
WORKDIR /src
COPY go.mod go.sum ./
RUN go mod download
COPY . .
ARG TARGETOS
ARG TARGETARCH
ARG VERSION=unknown
# -trimpath and a build id that is the version make the binary the same wherever
# it is built; `go tool buildid` reads the version back. Zone data is compiled in.
RUN CGO_ENABLED=0 GOOS=$TARGETOS GOARCH=$TARGETARCH \
    go build -tags grpcnotrace -trimpath -buildvcs=false -ldflags="-s -w -buildid=$VERSION" -o /out/ ./cmd/...

FROM ${RUNTIME_IMAGE} AS fare-sandbox
ARG VERSION=unknown
LABEL org.opencontainers.image.title="Hedgehop's fare-sandbox" \
      org.opencontainers.image.licenses="Apache-2.0" \
      org.opencontainers.image.version="$VERSION"
COPY --from=build /out/fare-sandbox /fare-sandbox
USER 65532:65532
EXPOSE 9090
ENTRYPOINT ["/fare-sandbox"]

FROM ${RUNTIME_IMAGE} AS search-api
ARG VERSION=unknown
LABEL org.opencontainers.image.title="Hedgehop" \
      org.opencontainers.image.description="A flight-search API" \
      org.opencontainers.image.licenses="Apache-2.0" \
      org.opencontainers.image.version="$VERSION"
# What traces and metrics say about where they come from.
ENV OTEL_RESOURCE_ATTRIBUTES="service.version=$VERSION"
COPY --from=build /out/search-api /search-api
# By number, so that a platform that demands a user other than root can tell.
USER 65532:65532
EXPOSE 8080
ENTRYPOINT ["/search-api"]
