// Package deploytest tests what the service is deployed with: the image, the
// manifests of Cloud Run, compose.yaml and the scripts. It is a module of its own
// so that the types of Google's API and of Compose stay out of the product's
// go.mod. `make deploy-test` runs it; `make image-test` builds and runs the image.
package deploytest
