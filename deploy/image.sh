#!/usr/bin/env bash
# Builds the image: deploy/image.sh NAME [option of the build…], for example
#
#   deploy/image.sh hedgehop/search-api:dev
#   deploy/image.sh hedgehop/fare-sandbox:dev --target fare-sandbox
set -euo pipefail
cd "$(dirname "$0")/.."

name=${1:?'name the image: deploy/image.sh NAME:TAG [option of the build…]'}
shift
tool=$(deploy/container-tool.sh)
version=$(deploy/version.sh)
"$tool" build --build-arg "VERSION=$version" -t "$name" "$@" .
