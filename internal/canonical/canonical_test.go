package canonical_test

import (
	"bytes"
	"encoding/json"
	"runtime"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/kaoju/kaoju/internal/canonical"
	"github.com/kaoju/kaoju/internal/problem"
)

func TestOneValueHasOneForm(t *testing.T) {
	for name, c := range map[string]struct{ in, want string }{
		"spacing":          {" { \"a\" : [ 1 , 2 ] } \n", `{"a":[1,2]}`},
		"order of members": {`{"b":1,"a":2}`, `{"a":2,"b":1}`},
		// The order is that of UTF-16, in which a sign beyond the basic plane comes before U+FB33.
		"order by UTF-16": {`{"\ufb33":1,"\ud83d\ude00":2,"\u20ac":3,"\r":4}`, "{\"\\r\":4,\"€\":3,\"😀\":2,\"\ufb33\":1}"},
		"escapes":         {`"\u003c\/\u00e9\u001f\b\u000a\"\\"`, `"</é\u001f\b\n\"\\"`},
		"Chinese":         {`"\u4e0a\u9650"`, `"上限"`},
		"numbers":         {`[1.0,1e3,-0,0.0,1e21,1e-7,333333333.33333329,9007199254740992]`, `[1,1000,0,0,1e+21,1e-7,333333333.3333333,9007199254740992]`},
		"words":           {`[true,false,null,{},[]]`, `[true,false,null,{},[]]`},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := canonical.JSON([]byte(c.in))
			if err != nil || string(got) != c.want {
				t.Errorf("got %s (%v), want %s", got, err, c.want)
			}
		})
	}
}

func TestWhatHasNoOneFormIsRefused(t *testing.T) {
	for name, in := range map[string]string{
		"nothing": "", "two values": "1 2", "a member twice": `{"a":1,"\u0061":1}`, "a number beyond doubles": "1e400",
		"a whole number that no double is": "9007199254740993", "no JSON": "{a:1}", "cut": `{"a":[1`, "cut in a member": `{"a"`,
	} {
		if got, err := canonical.JSON([]byte(in)); problem.CodeOf(err) != "not_canonical" {
			t.Errorf("%s: %s, %v", name, got, err)
		}
	}
	if _, err := canonical.Marshal(func() {}); problem.CodeOf(err) != "not_canonical" {
		t.Errorf("a function: %v", err)
	}
}

func nested(depth int, open, inner, shut string) []byte {
	return []byte(strings.Repeat(open, depth) + inner + strings.Repeat(shut, depth))
}

func TestWhatIsTooDeepHasNoForm(t *testing.T) {
	for _, w := range [][2]string{{"[", "]"}, {`{"a":`, "}"}, {`[{"b":0,"a":`, "}]"}, {`{"b":[`, `],"a":0}`}} {
		most := canonical.Depth / (strings.Count(w[0], "[") + strings.Count(w[0], "{"))
		if _, err := canonical.JSON(nested(most, w[0], "1", w[1])); err != nil {
			t.Errorf("%d times %s: %v", most, w[0], err)
		}
		for _, depth := range []int{most + 1, 100_000} {
			a := nested(depth, w[0], "1", w[1])
			if _, err := canonical.JSON(a); problem.CodeOf(err) != "not_canonical" {
				t.Errorf("%d times %s: %v", depth, w[0], err)
			}
			if canonical.Equal(a, a) {
				t.Errorf("%d times %s is told to be equal", depth, w[0])
			}
		}
	}
	// Beside one another there may be as many as there are.
	if got, err := canonical.JSON([]byte("[" + strings.Repeat("[],", 10_000) + "{}]")); err != nil || len(got) != 30_004 {
		t.Errorf("%d bytes, %v", len(got), err)
	}
}

// What stands deep is not written again for each level around it.
func TestDepthCostsNoMemory(t *testing.T) {
	inner := `"` + strings.Repeat("x", 1<<20) + `"`
	spent := func(raw []byte) uint64 {
		t.Helper()
		var a, b runtime.MemStats
		runtime.ReadMemStats(&a)
		if _, err := canonical.JSON(raw); err != nil {
			t.Fatal(err)
		}
		runtime.ReadMemStats(&b)
		return b.TotalAlloc - a.TotalAlloc
	}
	flat := spent([]byte(inner))
	for _, w := range [][2]string{{"[", "]"}, {`{"a":`, "}"}, {`{"b":`, `,"a":0}`}} {
		if deep := spent(nested(canonical.Depth, w[0], inner, w[1])); deep > 2*flat {
			t.Errorf("%s: %d bytes, %d without any depth", w[0], deep, flat)
		}
	}
}

// values draws JSON values with names and strings that have to be escaped.
func values(depth int) *rapid.Generator[any] {
	leaf := rapid.OneOf(
		rapid.Map(rapid.String(), func(s string) any { return s }), rapid.Map(rapid.Int32(), func(n int32) any { return n }),
		rapid.Map(rapid.Float64Range(-1e9, 1e9), func(f float64) any { return f }), rapid.Map(rapid.Bool(), func(b bool) any { return b }),
	)
	if depth == 0 {
		return leaf
	}
	return rapid.OneOf(leaf,
		rapid.Map(rapid.SliceOfN(values(depth-1), 0, 4), func(l []any) any { return l }),
		rapid.Map(rapid.MapOfN(rapid.String(), values(depth-1), 0, 4), func(m map[string]any) any { return m }))
}

func TestTheFormStaysUnderEveryWriting(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := values(3).Draw(t, "value")
		first, err := canonical.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		again, err := canonical.JSON(first)
		if err != nil || !bytes.Equal(first, again) {
			t.Fatalf("the form of %s is %s (%v)", first, again, err)
		}
		spaced, err := json.MarshalIndent(v, " ", "\t")
		if err != nil {
			t.Fatal(err)
		}
		if !canonical.Equal(spaced, first) {
			t.Fatalf("%s is not %s", spaced, first)
		}
		if canonical.Equal(first, append([]byte("["), append(first, ']')...)) || canonical.Equal(first, []byte("x")) || canonical.Equal([]byte("x"), first) {
			t.Fatal("another value is equal")
		}
	})
}
