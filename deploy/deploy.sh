#!/usr/bin/env bash
# Builds the image, pushes it and applies a manifest to Cloud Run. `make deploy`
# calls it with these variables:
#
#   PROJECT   the Google Cloud project; no default
#   REGION    us-central1
#   MANIFEST  cloudrun.yaml
#   VERSION   the tag or commit checked out
set -euo pipefail
cd "$(dirname "$0")/.."

fail() {
	printf '%s\n' "$@" >&2
	exit 1
}

# check NAME VALUE PATTERN EXAMPLE notes a fault if the value is unusable.
faults=()
check() {
	[[ $2 =~ ^$3$ ]] || faults+=("$1=$2: use $4")
}

PROJECT=${PROJECT:-} REGION=${REGION:-us-central1} MANIFEST=${MANIFEST:-cloudrun.yaml}
VERSION=$(deploy/version.sh)
check PROJECT "$PROJECT" '[a-z][a-z0-9-]{4,28}[a-z0-9]' 'a project id, as in make deploy PROJECT=my-project'
check REGION "$REGION" '[a-z]+-[a-z]+[0-9]+' 'a region such as us-central1'
check VERSION "$VERSION" '[A-Za-z0-9_][A-Za-z0-9_.-]{0,127}' 'letters, digits, dots and dashes: it becomes the tag of the image'
[[ -r $MANIFEST ]] || faults+=("MANIFEST=$MANIFEST: use cloudrun.yaml or deploy/production.yaml")
command -v gcloud >/dev/null || faults+=('gcloud is missing: https://cloud.google.com/sdk/docs/install')
((${#faults[@]} == 0)) || fail "${faults[@]}"
tool=$(deploy/container-tool.sh)

registry=$REGION-docker.pkg.dev
image=$registry/$PROJECT/hedgehop/search-api:$VERSION
manifest=$(mktemp)
trap 'rm -f "$manifest"' EXIT
sed -e "s|\${PROJECT}|$PROJECT|g" -e "s|\${REGION}|$REGION|g" -e "s|\${VERSION}|$VERSION|g" "$MANIFEST" >"$manifest"

export VERSION
# Cloud Run runs amd64, whatever this machine is.
deploy/image.sh "$image" --platform linux/amd64

gcloud services enable run.googleapis.com artifactregistry.googleapis.com --project "$PROJECT"
gcloud artifacts repositories describe hedgehop --project "$PROJECT" --location "$REGION" >/dev/null 2>&1 ||
	gcloud artifacts repositories create hedgehop --project "$PROJECT" --location "$REGION" --repository-format docker
token=$(gcloud auth print-access-token)
"$tool" login --username oauth2accesstoken --password-stdin "$registry" <<<"$token"
"$tool" push "$image"
gcloud run services replace "$manifest" --project "$PROJECT" --region "$REGION"
