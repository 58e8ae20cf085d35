package tool_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/kaoju/kaoju/internal/problem"
	"github.com/kaoju/kaoju/internal/tool"
	"pgregory.net/rapid"
)

func TestStrictAcceptsOneObjectThatEveryReaderUnderstandsAlike(t *testing.T) {
	for name, raw := range map[string]string{
		"empty object":             `{}`,
		"white space around":       " \n{\"a\": 1}\t ",
		"same name in two objects": `{"a": {"x": 1}, "b": {"x": 2}}`,
		"numbers":                  `{"a": 0, "b": -0.0, "c": 128.0, "d": 128.5, "e": 1e2, "f": 9007199254740993}`,
		"surrogate pair":           `{"a": "\ud83d\ude00"}`,
		"escaped backslash and u":  `{"a": "\\ud800"}`,
		"Chinese":                  `{"查询": "差旅"}`,
		"arrays":                   `{"a": [[], [1, "x", null, true]]}`,
		"depth at the bound":       strings.Repeat(`{"a":`, 32) + `1` + strings.Repeat(`}`, 32),
	} {
		t.Run(name, func(t *testing.T) {
			if err := tool.Strict([]byte(raw)); err != nil {
				t.Errorf("Strict(%s) = %v, want nil", raw, err)
			}
		})
	}
}

func TestStrictRefusesWhatReadersCouldUnderstandDifferently(t *testing.T) {
	for name, raw := range map[string]string{
		"nothing":                   ``,
		"broken":                    `{"a": 1`,
		"single quotes":             `{'a': 1}`,
		"two values":                `{"a": 1} {"a": 2}`,
		"trailing word":             `{"a": 1} x`,
		"byte order mark":           "\ufeff{}",
		"array":                     `[{"a": 1}]`,
		"string":                    `"a"`,
		"null":                      `null`,
		"number":                    `1`,
		"duplicate":                 `{"a": 1, "a": 2}`,
		"duplicate by escape":       `{"a": 1, "\u0061": 2}`,
		"duplicate inside":          `{"a": [{"b": 1, "b": 1}]}`,
		"other case":                `{"path": 1, "Path": 2}`,
		"long s":                    `{"size": 1, "\u017fize": 2}`,
		"Kelvin sign":               `{"key": 1, "\u212aey": 2}`,
		"NUL in a name":             `{"a\u0000": 1}`,
		"control in a name":         `{"a\u0007": 1}`,
		"NUL in a string":           `{"a": "x\u0000y"}`,
		"invalid UTF-8":             "{\"a\": \"\xff\"}",
		"half a pair, high":         `{"a": "\ud800"}`,
		"half a pair, low":          `{"a": "\ude00x"}`,
		"high followed by letter":   `{"a": "\ud83d\u0061"}`,
		"half a pair in a name":     `{"\ud800": 1}`,
		"too deep":                  strings.Repeat(`{"a":`, 33) + `1` + strings.Repeat(`}`, 33),
		"far too deep":              strings.Repeat(`[`, 9000) + strings.Repeat(`]`, 9000),
		"too long":                  `{"a": "` + strings.Repeat("x", 300<<10) + `"}`,
		"infinite number":           `{"a": 1e400}`,
		"vanishing number":          `{"a": 1e-999999999}`,
		"huge exponent":             `{"a": 1e999999999}`,
		"long number":               `{"a": ` + strings.Repeat("9", 65) + `}`,
		"fraction a float64 drops":  `{"a": 128.00000000000000000001}`,
		"leading zero":              `{"a": 007}`,
		"not a number":              `{"a": NaN}`,
		"comment":                   `{"a": 1 /* x */}`,
		"trailing comma":            `{"a": 1,}`,
		"unescaped line end inside": "{\"a\": \"x\ny\"}",
	} {
		t.Run(name, func(t *testing.T) {
			err := tool.Strict([]byte(raw))
			if problem.CodeOf(err) != "invalid_json" || problem.KindOf(err) != problem.Invalid {
				t.Errorf("Strict(%.80s) = %v, want invalid_json", raw, err)
			}
		})
	}
}

// jsonValue draws values whose objects have names that differ by more than case.
func jsonValue(depth int) *rapid.Generator[any] {
	return rapid.Custom(func(t *rapid.T) any {
		kind := rapid.IntRange(0, 6).Draw(t, "kind")
		if depth == 0 && kind > 4 {
			kind = 0
		}
		switch kind {
		case 0:
			return strings.ReplaceAll(rapid.String().Draw(t, "string"), "\x00", "")
		case 1:
			return float64(rapid.Int32().Draw(t, "int"))
		case 2:
			return rapid.Float64Range(-1e9, 1e9).Draw(t, "float")
		case 3:
			return rapid.Bool().Draw(t, "bool")
		case 4:
			return nil
		case 5:
			return any(rapid.SliceOfN(jsonValue(depth-1), 0, 3).Draw(t, "array"))
		}
		return any(rapid.MapOfN(rapid.StringMatching(`[a-z]{1,6}`), jsonValue(depth-1), 0, 4).Draw(t, "object"))
	})
}

func TestStrictAcceptsWhatTheStandardEncoderWrites(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		object := rapid.MapOfN(rapid.StringMatching(`[a-z]{1,6}`), jsonValue(4), 0, 5).Draw(t, "object")
		raw, err := json.Marshal(object)
		if err != nil {
			t.Fatal(err)
		}
		if err := tool.Strict(raw); err != nil {
			t.Fatalf("Strict(%s) = %v", raw, err)
		}
		if err := tool.Strict(append(raw, raw...)); err == nil {
			t.Fatalf("two objects in a row were accepted: %s", raw)
		}
	})
}

func FuzzStrict(f *testing.F) {
	for _, s := range []string{`{}`, `{"a":1,"A":2}`, `{"a":"\ud83d\ude00"}`, `{"a":[{"b":1e3}]}`, `{"a":1}{}`, `{"\u0000":1}`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		if tool.Strict(raw) != nil {
			return
		}
		// What was accepted is one object to the standard decoder too, and survives a round trip.
		var v map[string]any
		if err := json.Unmarshal(raw, &v); err != nil || v == nil {
			t.Fatalf("accepted %q, which encoding/json does not take for an object: %v", raw, err)
		}
		again, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		if len(again) < 200<<10 && tool.Strict(again) != nil {
			t.Fatalf("accepted %q but not its own re-encoding %q", raw, again)
		}
	})
}
