package httpapi

import (
	"fmt"
	"mime"
	"strings"
	"time"

	"github.com/hedgehop/hedgehop/api"
)

// attributesOf are the members of an event beside its data, as text. Null is
// the same as absent.
func attributesOf(whole jsonValue, at string) (map[string]string, []api.Fault) {
	attributes := map[string]string{}
	var faults []api.Fault
	for _, m := range whole.members {
		switch {
		case m.name == "data" || m.name == "data_base64":
		case strings.Trim(m.name, "abcdefghijklmnopqrstuvwxyz0123456789") != "" || m.name == "":
			faults = append(faults, pointed(at+"/"+escaped(m.name), "is no attribute of an event; their names have letters a to z and digits"))
		case m.value.kind == jsonObject || m.value.kind == jsonArray:
			faults = append(faults, pointed(at+"/"+m.name, "must be a single value, not "+m.value.describe()))
		case m.value.kind == jsonString:
			attributes[m.name] = m.value.literal
		case m.value.kind != jsonNull && isCoreAttribute(m.name):
			faults = append(faults, pointed(at+"/"+m.name, "must be a string, not "+m.value.describe()))
			attributes[m.name] = unreadable
		}
	}
	return attributes, faults
}

// unreadable stands for an attribute whose fault has been named.
const unreadable = "\x00"

func isCoreAttribute(name string) bool {
	switch name {
	case "specversion", "id", "source", "type", "datacontenttype", "dataschema", "subject", "time":
		return true
	}
	return false
}

// judge checks the attributes that CloudEvents defines and takes the type.
func (e *cloudEvent) judge(attribute func(name string) (string, bool), at func(name, detail string) api.Fault) {
	check := func(name string, mandatory bool, wrong func(string) string) {
		value, given := attribute(name)
		switch {
		case given && value == unreadable, !given && !mandatory:
		case !given:
			e.faults = append(e.faults, at(name, "is missing; CloudEvents 1.0 asks for it"))
		default:
			if detail := wrong(value); detail != "" {
				e.faults = append(e.faults, at(name, detail))
			}
		}
	}
	check("specversion", true, wrongVersion)
	check("id", true, wrongText)
	check("source", true, wrongText)
	check("type", true, wrongType)
	check("datacontenttype", false, wrongContent)
	check("time", false, wrongTime)
	e.kind, _ = attribute("type")
}

func wrongVersion(version string) string {
	if version != "1.0" {
		return fmt.Sprintf("must be 1.0, not %s", shown(version))
	}
	return ""
}

func wrongText(text string) string {
	if text == "" {
		return "must not be empty"
	}
	return ""
}

func wrongType(kind string) string {
	if kind != fareChanged && kind != refdataChanged {
		return fmt.Sprintf("%s is no type that is understood here; send %s or %s", shown(kind), fareChanged, refdataChanged)
	}
	return ""
}

func wrongContent(declared string) string {
	mediaType, _, err := mime.ParseMediaType(declared)
	if err != nil || mediaType != mediaTypeJSON && !strings.HasSuffix(mediaType, "+json") {
		return fmt.Sprintf("must be JSON, not %s", shown(declared))
	}
	return ""
}

func wrongTime(text string) string {
	if _, err := time.Parse(time.RFC3339, text); err != nil {
		return fmt.Sprintf("%s is no time of RFC 3339; write it as 2026-12-15T08:00:00Z", shown(text))
	}
	return ""
}
