package httpapi

import (
	"bytes"
	"encoding/json"
	"maps"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/kaoju/kaoju/internal/httpapi/strict"
)

func TestMalformedBodiesAreRefusedWith400(t *testing.T) {
	w := newWorld(t)
	deep := strings.Repeat(`{"a":`, 100) + "1" + strings.Repeat("}", 100)
	for name, body := range map[string]string{
		"cut off":              `{"query":"x"`,
		"two values":           `{"query":"x"} {"query":"y"}`,
		"trailing words":       `{"query":"x"} x`,
		"trailing comma":       `{"query":"x",}`,
		"duplicate key":        `{"query":"x","query":"y"}`,
		"escaped duplicate":    `{"query":"x","qu\u0065ry":"y"}`,
		"other case":           `{"Query":"x","query":"y"}`,
		"long s":               `{"doc_key":"x","query":"y","KNOWLEDGE_BASE_IDS":[],"knowledge_ba\u017fe_ids":[]}`,
		"Kelvin":               `{"query":"y","doc_key":"x","doc_\u212aey":"z"}`,
		"nested duplicate":     `{"query":"x","knowledge_base_ids":[{"a":1,"a":1}]}`,
		"not UTF-8":            "{\"query\":\"\xff\"}",
		"single quotes":        `{'query':'x'}`,
		"comment":              `{"query":"x"/* */}`,
		"nan":                  `{"query":NaN}`,
		"deep":                 deep,
		"byte order mark":      "\uFEFF" + `{"query":"x"}`,
		"number with a zero":   `{"query":"x","limit":01}`,
		"key without a string": `{query:"x"}`,
	} {
		t.Run(name, func(t *testing.T) {
			p := w.refusal("alice", http.MethodPost, "/api/search", body, http.StatusBadRequest, "malformed_json")
			if len(p.Errors) != 0 {
				t.Errorf("errors %v, want none", p.Errors)
			}
		})
	}
	w.refusal("alice", http.MethodPost, "/api/search", "", http.StatusBadRequest, "malformed_json")
}

func TestWrongFieldsAreRefusedWith422AndNamed(t *testing.T) {
	w := newWorld(t)
	for _, c := range []struct{ name, method, path, body, pointer string }{
		{"unknown", "POST", "/api/search", `{"query":"x","limits":3}`, "/limits"},
		{"wrong case", "POST", "/api/search", `{"query":"x","Limit":3}`, "/Limit"},
		{"wrong case in a list", "PUT", "/api/knowledge-bases/kb/grants", `{"grants":[{"principal":"everyone","Role":"reader"}]}`, "/grants/0/role"},
		{"wrong case of a list", "PUT", "/api/knowledge-bases/kb/grants", `{"Grants":[],"extra":1}`, "/grants"},
		{"wrong case of a title", "PATCH", "/api/documents/doc-1", `{"Title":"x"}`, "/Title"},
		{"wrong case of a policy", "PATCH", "/api/documents/doc-1", `{"Access_Policy":"inherit"}`, "/Access_Policy"},
		{"wrong case of a name", "PATCH", "/api/knowledge-bases/kb", `{"NAME":"x"}`, "/NAME"},
		{"wrong case of a kind", "POST", "/api/runs", `{"Kind":"answer","goal":"x"}`, "/kind"},
		{"wrong case of an id", "POST", "/api/knowledge-bases", `{"ID":"kb","name":"x"}`, "/ID"},
		{"long s", "POST", "/api/runs", `{"kind":"answer","goal":"x","conver\u017fation_id":"y"}`, "/converſation_id"},
		{"missing", "POST", "/api/search", `{}`, "/query"},
		{"null", "POST", "/api/search", `{"query":null}`, "/query"},
		{"number for text", "POST", "/api/search", `{"query":1}`, "/query"},
		{"text for number", "POST", "/api/search", `{"query":"x","limit":"5"}`, "/limit"},
		{"fraction", "POST", "/api/search", `{"query":"x","limit":1.5}`, "/limit"},
		{"negative limit", "POST", "/api/search", `{"query":"x","limit":-1}`, "/limit"},
		{"list item", "POST", "/api/search", `{"query":"x","knowledge_base_ids":["a",2]}`, "/knowledge_base_ids/1"},
		{"object for list", "POST", "/api/search", `{"query":"x","knowledge_base_ids":{}}`, "/knowledge_base_ids"},
		{"day", "POST", "/api/search", `{"query":"x","updated_from":"2026-13-01"}`, "/updated_from"},
		{"time for a day", "POST", "/api/search", `{"query":"x","updated_to":"2026-10-01T00:00:00Z"}`, "/updated_to"},
		{"no limit at all", "POST", "/api/search", `{"query":"x","limit":0}`, "/limit"},
		{"last day", "POST", "/api/search", `{"query":"x","updated_to":"9999-12-31"}`, "/updated_to"},
		{"last day of a question", "POST", "/api/chat", `{"question":"x","updated_to":"9999-12-31"}`, "/updated_to"},
		{"last day of a run", "POST", "/api/runs", `{"kind":"answer","goal":"x","updated_to":"9999-01-01"}`, "/updated_to"},
		{"year zero", "POST", "/api/chat", `{"question":"x","updated_from":"0000-01-01"}`, "/updated_from"},
		{"days reversed", "POST", "/api/search", `{"query":"x","updated_from":"2026-10-02","updated_to":"2026-10-01"}`, "/updated_to"},
		{"identity", "POST", "/api/chat", `{"question":"x","user_id":"bob"}`, "/user_id"},
		{"identity in another case", "POST", "/api/chat", `{"question":"x","Tenant_ID":"globex"}`, "/Tenant_ID"},
		{"empty question", "POST", "/api/chat", `{"question":" "}`, "/question"},
		{"missing goal", "POST", "/api/runs", `{"kind":"answer"}`, "/goal"},
		{"missing kind", "POST", "/api/runs", `{"goal":"x"}`, "/kind"},
		{"text for a flag", "POST", "/api/runs", `{"kind":"answer","goal":"x","allow_rules_fallback":"true"}`, "/allow_rules_fallback"},
		{"empty name", "POST", "/api/knowledge-bases", `{"name":"  "}`, "/name"},
		{"control character", "POST", "/api/knowledge-bases", `{"name":"a\u0000b"}`, "/name"},
		{"bad id", "POST", "/api/knowledge-bases", `{"id":"../x","name":"x"}`, "/id"},
		{"owned by the server", "POST", "/api/knowledge-bases", `{"name":"x","lock_version":7}`, "/lock_version"},
		{"page", "GET", "/api/runs?limit=0", "", "?limit"},
		{"page of words", "GET", "/api/runs?limit=many", "", "?limit"},
		{"last day of a list", "GET", "/api/knowledge-bases/kb/documents?updated_to=9999-12-31", "", "?updated_to"},
		{"ledger's last day", "GET", "/api/ledger?to=9999-12-31", "", "?to"},
		{"ledger's last second", "GET", "/api/ledger?to=9999-12-31T23:59:59-10:00", "", "?to"},
		{"ledger's first second", "GET", "/api/ledger?from=0001-01-01T00:00:00%2B10:00", "", "?from"},
		{"state of a run", "GET", "/api/runs?state=zzz", "", "?state"},
		{"state in another case", "GET", "/api/runs?state=Queued", "", "?state"},
		{"ledger days", "GET", "/api/ledger?from=yesterday", "", "?from"},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := w.refusal("alice", c.method, c.path, c.body, http.StatusUnprocessableEntity, "invalid_request")
			if len(p.Errors) == 0 || p.Errors[0].Pointer != c.pointer || p.Errors[0].Detail == "" {
				t.Errorf("errors %+v, want the first at %q", p.Errors, c.pointer)
			}
		})
	}
}

func TestRefusalsDoNotRepeatValues(t *testing.T) {
	w := newWorld(t)
	const canary = "CANARY-8d1"
	for _, body := range []string{
		`{"query":{"x":"` + canary + `"}}`, `{"query":"x","limit":"` + canary + `"}`, `{"query":"x","updated_from":"` + canary + `"}`,
		`{"query":"` + canary + `"`, `{"query":"x","cursor":"` + canary + `"}`,
	} {
		if rec := w.send("alice", http.MethodPost, "/api/search", body); rec.Code < 400 || strings.Contains(rec.Body.String(), canary) {
			t.Errorf("%s: %d %s", body, rec.Code, rec.Body)
		}
	}
	if strings.Contains(w.log.String(), canary) {
		t.Error("the log repeats a value of a request")
	}
}

func TestOtherMediaTypesAndSizesAreRefused(t *testing.T) {
	w := newWorld(t)
	for _, media := range []string{"text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "application/xml", "CANARY/8d1"} {
		r := w.request("alice", http.MethodPost, "/api/search", strings.NewReader(`{"query":"x"}`), "Content-Type", media)
		if rec := w.do(r); rec.Code != http.StatusUnsupportedMediaType || strings.Contains(rec.Body.String(), media) || strings.Contains(rec.Body.String(), "errors") {
			t.Errorf("%s: status %d: %s", media, rec.Code, rec.Body)
		}
	}
	w.refusal("alice", http.MethodPost, "/api/search", `{"query":"`+strings.Repeat("x", maxBody)+`"}`, http.StatusRequestEntityTooLarge, "too_large")
	w.refusal("alice", http.MethodPost, "/api/search", `{"query":" \t\u3000"}`, http.StatusUnprocessableEntity, "empty_query")
}

func TestStrictDecoderTakesWhatTheStandardOneWrites(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := value(t, 4)
		b, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		var got any
		if err := strict.Decode(b, &got); err != nil {
			t.Fatalf("%s: %v", b, err)
		}
		if !reflect.DeepEqual(got, v) {
			t.Fatalf("%s: got %#v, want %#v", b, got, v)
		}
		if err := strict.Decode(append(b, b...), &got); err == nil && v != nil {
			// Two numbers in a row may be one number.
			if _, number := v.(float64); !number {
				t.Fatalf("%s twice was taken", b)
			}
		}
	})
}

// value draws a JSON value as the standard decoder would make it.
func value(t *rapid.T, depth int) any {
	kind := rapid.IntRange(0, 5).Draw(t, "kind")
	if depth == 0 {
		kind = min(kind, 3)
	}
	switch kind {
	case 0:
		return nil
	case 1:
		return rapid.Bool().Draw(t, "bool")
	case 2:
		return float64(rapid.Int32().Draw(t, "number"))
	case 3:
		return rapid.String().Draw(t, "text")
	case 4:
		out := []any{}
		for range rapid.IntRange(0, 4).Draw(t, "length") {
			out = append(out, value(t, depth-1))
		}
		return out
	}
	out := map[string]any{}
	for range rapid.IntRange(0, 4).Draw(t, "members") {
		key := rapid.String().Draw(t, "key")
		if !slices.ContainsFunc(slices.Collect(maps.Keys(out)), func(other string) bool { return strings.EqualFold(other, key) }) {
			out[key] = value(t, depth-1)
		}
	}
	return out
}

func TestDuplicateKeysAreFoundAtAnyDepth(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		word := rapid.String().Draw(t, "key")
		key, err := json.Marshal(word)
		if err != nil {
			t.Fatal(err)
		}
		again := key
		if rapid.Bool().Draw(t, "in another case") {
			// Upper case has other foldings too (ß), which are other keys.
			if upper, err := json.Marshal(strings.ToUpper(word)); err == nil && strings.EqualFold(word, strings.ToUpper(word)) {
				again = upper
			}
		}
		body := `{` + string(key) + `:1,"between":[{}],` + string(again) + `:2}`
		for range rapid.IntRange(0, 10).Draw(t, "depth") {
			if rapid.Bool().Draw(t, "array") {
				body = `[0,` + body + `]`
			} else {
				body = `{"x":` + body + `,"y":{}}`
			}
		}
		var v any
		if err := strict.Decode([]byte(body), &v); err == nil {
			t.Fatalf("%s was taken", body)
		}
	})
}

func FuzzStrictDecoder(f *testing.F) {
	for _, seed := range []string{`{}`, `{"a":1,"a":2}`, `[[[]]]`, `"x"`, `1 2`, `{"a":{"b":[1,2,{"c":null}]}}`, "{\"\\u0061\":1,\"a\":2}", "\xff", ``} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		var v any
		if err := strict.Decode(data, &v); err != nil {
			return
		}
		if !json.Valid(data) {
			t.Fatalf("%q is not JSON and was taken", data)
		}
		var compact bytes.Buffer
		must(t, json.Compact(&compact, data))
		again, err := json.Marshal(v)
		must(t, err)
		// As many members remain as were written: none hid another.
		if strings.Count(string(again), ":") < 1 && strings.Contains(compact.String(), `":`) && !strings.Contains(compact.String(), `\`) {
			t.Fatalf("%q lost members: %s", data, again)
		}
	})
}
