package duffel

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/hedgehop/hedgehop/internal/providers"
)

func TestExplain(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, errors string
		want         providers.Error
	}{
		{"none", `[]`, providers.Error{Kind: providers.KindTimeout, Detail: "before"}},
		{"an unknown type leaves the status to judge", `[{"type": "new_error", "code": "new", "message": "Something new"}]`, providers.Error{
			Kind: providers.KindTimeout, Code: "new", Detail: "Something new",
		}},
		{"the title where there is no message", `[{"type": "api_error", "title": "Down"}]`, providers.Error{
			Kind: providers.KindFailed, Detail: "Down",
		}},
		{
			"the first error's kind, everybody's words", `[{"type": "validation_error", "code": "a", "message": "One"}, {"type": "api_error", "code": "b", "message": "Two"}]`,
			providers.Error{Kind: providers.KindRejected, Code: "a", Detail: "One; Two"},
		},
		{"an airline as source", `[{"type": "airline_error", "code": 7, "message": "Failed", "source": "british_airways"}]`, providers.Error{
			Kind: providers.KindFailed, Code: "7", Detail: "Failed (british_airways)",
		}},
		{"a field as source", `[{"type": "validation_error", "message": "Bad date", "source": {"field": "date", "pointer": "/date"}}]`, providers.Error{
			Kind: providers.KindRejected, Detail: "Bad date",
		}},
		{"an offer that is no more", `[{"type": "invalid_state_error", "message": "Gone"}]`, providers.Error{
			Kind: providers.KindRejected, Detail: "Gone",
		}},
		{"a limit", `[{"type": "rate_limit_error"}]`, providers.Error{Kind: providers.KindRateLimited, Detail: "before"}},
		{"secrets and markup", `[{"type": "authentication_error", "code": "` + token + `", "message": "<i>no</i>"}]`, providers.Error{
			Kind: providers.KindUnauthorized, Detail: "before",
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			var errs []wireError
			if err := json.Unmarshal([]byte(tt.errors), &errs); err != nil {
				t.Fatal(err)
			}
			got := providers.Error{Kind: providers.KindTimeout, Detail: "before"}
			explain(&got, errs, token)
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}
