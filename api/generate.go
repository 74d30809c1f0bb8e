package api

//go:generate go tool -modfile=../tools/go.mod oapi-codegen -config models.yaml -o models.gen.go openapi.yaml
//go:generate go tool -modfile=../tools/go.mod oapi-codegen -config client.yaml -o client/client.gen.go openapi.yaml
