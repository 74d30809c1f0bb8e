package httpapi_test

import (
	"encoding/json"
	"maps"
	"mime"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/go-chi/chi/v5"
	"github.com/google/go-cmp/cmp"

	"github.com/hedgehop/hedgehop/api"
	"github.com/hedgehop/hedgehop/internal/httpapi"
)

// document is the contract, valid by itself.
var document = sync.OnceValue(func() *openapi3.T {
	loader := openapi3.NewLoader()
	doc, err := loader.LoadFromData(api.Spec)
	if err == nil {
		err = doc.Validate(loader.Context)
	}
	if err != nil {
		panic(err)
	}
	return doc
})

// operation finds what the contract says about a request; nil: nothing.
func operation(method, path string) *openapi3.Operation {
	for template, item := range document().Paths.Map() {
		if sameShape(template, path) {
			return item.GetOperation(method)
		}
	}
	return nil
}

func sameShape(template, path string) bool {
	return slices.EqualFunc(strings.Split(template, "/"), strings.Split(path, "/"), func(t, p string) bool {
		return t == p || strings.HasPrefix(t, "{")
	})
}

// conforms fails the test where an answer is none that the contract describes:
// status, content type, declared headers and every value of the body.
func conforms(t *testing.T, r *http.Request, w *httptest.ResponseRecorder) {
	t.Helper()
	contentType, _, _ := mime.ParseMediaType(w.Header().Get("Content-Type"))
	method := r.Method
	if method == http.MethodHead {
		method = http.MethodGet
	}
	op := operation(method, r.URL.Path)
	if op == nil { // No such address or method: always a problem.
		if w.Code != http.StatusNotFound && w.Code != http.StatusMethodNotAllowed {
			t.Errorf("%s %s: %d for what is not in the contract", r.Method, r.URL.Path, w.Code)
		}
		validate(t, document().Components.Schemas["Problem"].Value, w.Body.Bytes())
		return
	}
	response := op.Responses.Status(w.Code)
	if response == nil {
		t.Fatalf("%s %s: the contract has no answer %d: %s", r.Method, r.URL.Path, w.Code, w.Body)
	}
	for name := range response.Value.Headers {
		if w.Header().Get(name) == "" && name != "traceparent" { // Absent where nothing is traced.
			t.Errorf("%s %s: %d without header %s", r.Method, r.URL.Path, w.Code, name)
		}
	}
	media := response.Value.Content.Get(contentType)
	switch {
	case len(response.Value.Content) == 0 || r.Method == http.MethodHead:
		if w.Body.Len() > 0 && r.Method != http.MethodHead {
			t.Errorf("%s %s: %d has a body", r.Method, r.URL.Path, w.Code)
		}
	case media == nil:
		t.Errorf("%s %s: the contract has no %q for %d", r.Method, r.URL.Path, contentType, w.Code)
	case strings.HasSuffix(contentType, "json") && w.Header().Get("Content-Encoding") == "":
		validate(t, media.Schema.Value, w.Body.Bytes())
	}
}

func validate(t *testing.T, schema *openapi3.Schema, body []byte) {
	t.Helper()
	var v any
	if err := json.Unmarshal(body, &v); err != nil {
		t.Fatalf("%v in %q", err, body)
	}
	if err := schema.VisitJSON(v, openapi3.EnableJSONSchema2020()); err != nil {
		t.Errorf("answer is not what the contract says: %v\n%s", err, body)
	}
}

// TestValidationCanFail shows that the check of answers is one.
func TestValidationCanFail(t *testing.T) {
	t.Parallel()
	schema := document().Components.Schemas["ProviderOutcome"].Value
	good := map[string]any{
		"name": "duffel", "status": "ok", "offers": 1.0, "latency_ms": 1.0, "attempts": 1.0, "cache": "miss",
		"age_seconds": 0.0, "sandbox": true, "error": nil, "warnings": []any{},
	}
	if err := schema.VisitJSON(good, openapi3.EnableJSONSchema2020()); err != nil {
		t.Fatal(err)
	}
	for name, wrong := range map[string]any{"status": "fine", "name": nil, "attempts": 1.5} {
		bad := maps.Clone(good)
		bad[name] = wrong
		if schema.VisitJSON(bad, openapi3.EnableJSONSchema2020()) == nil {
			t.Errorf("%s %v passes", name, wrong)
		}
	}
}

// TestRoutes compares what is mounted with what is documented, both ways.
func TestRoutes(t *testing.T) {
	t.Parallel()
	var documented, mounted []string
	for path, item := range document().Paths.Map() {
		for method := range item.Operations() {
			documented = append(documented, method+" "+path)
		}
	}
	routes, ok := httpapi.New(options(&searcher{})).(chi.Routes)
	if !ok {
		t.Fatal("the handler does not show its routes")
	}
	err := chi.Walk(routes, func(method, route string, _ http.Handler, _ ...func(http.Handler) http.Handler) error {
		mounted = append(mounted, method+" "+route)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(documented)
	slices.Sort(mounted)
	if diff := cmp.Diff(documented, mounted); diff != "" {
		t.Errorf("routes (-documented +mounted):\n%s", diff)
	}
}

// TestPathParameters compares the names between braces with the documented ones.
func TestPathParameters(t *testing.T) {
	t.Parallel()
	for path, item := range document().Paths.Map() {
		var inPath, documented []string
		for part := range strings.SplitSeq(path, "/") {
			if name, ok := strings.CutPrefix(part, "{"); ok {
				inPath = append(inPath, strings.TrimSuffix(name, "}"))
			}
		}
		for method, op := range item.Operations() {
			documented = nil
			for _, p := range op.Parameters {
				if p.Value.In == openapi3.ParameterInPath {
					documented = append(documented, p.Value.Name)
				}
			}
			if diff := cmp.Diff(inPath, documented); diff != "" {
				t.Errorf("%s %s (-path +documented):\n%s", method, path, diff)
			}
		}
	}
}
