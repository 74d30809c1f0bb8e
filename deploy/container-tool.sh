#!/usr/bin/env bash
# Prints which tool builds and pushes images here: docker where its daemon
# answers, else podman or buildah. CONTAINER_TOOL chooses one outright.
set -euo pipefail

if [[ -n ${CONTAINER_TOOL:-} ]]; then
	echo "$CONTAINER_TOOL"
elif command -v docker >/dev/null && docker info >/dev/null 2>&1; then
	echo docker
elif command -v podman >/dev/null; then
	echo podman
elif command -v buildah >/dev/null; then
	echo buildah
else
	echo 'No container tool: start docker, or install buildah (apt-get install buildah).' >&2
	exit 1
fi
