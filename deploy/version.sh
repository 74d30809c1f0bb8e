#!/usr/bin/env bash
# Prints the version that an image built now carries: VERSION, or the tag or
# commit checked out here, "-dirty" where files differ from it.
set -euo pipefail

echo "${VERSION:-$(git -C "$(dirname "$0")" describe --tags --always --dirty 2>/dev/null || echo unknown)}"
