package page

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/kaoju/kaoju/internal/corpus"
)

func TestBoxesAreReadAsLocatorsHaveThem(t *testing.T) {
	for text, want := range map[string][]corpus.Box{
		"": nil, "[]": {}, "[[1,2,3,4]]": {{1, 2, 3, 4}}, " [ [1.5, -2e1, 3, 4] ,[0,0,0.1,1e6]] ": {{1.5, -20, 3, 4}, {0, 0, 0.1, 1e6}},
	} {
		got, fields := Boxes(text)
		if d := cmp.Diff(want, got); d != "" || fields != nil {
			t.Errorf("%q: %s %v", text, d, fields)
		}
	}
	many := strings.Repeat("[0,0,1,1],", MaxBoxes-1) + "[0,0,1,1]"
	if got, fields := Boxes("[" + many + "]"); len(got) != MaxBoxes || fields != nil {
		t.Errorf("%d boxes, %v", len(got), fields)
	}
}

func TestBoxesThatAreNoneArePointedAt(t *testing.T) {
	for text, pointer := range map[string]string{
		"x": "?boxes", "null": "?boxes", "{}": "?boxes", "[[1,2,3,4]]]": "?boxes", "[[1,2,3,4]] []": "?boxes", "[1,2,3,4]": "?boxes", `[["1",2,3,4]]`: "?boxes",
		"[[1,2,3]]": "?boxes/0", "[[1,2,3,4],[1,2,3,4,5]]": "?boxes/1", "[[1,2,3,4],null]": "?boxes/1", "[[1,null,3,4]]": "?boxes/0/1", "[[1,2,3,4],[1,2,3,1e7]]": "?boxes/1/3",
		"[[1,2,3,1e999]]": "?boxes", "[[3,2,1,4]]": "?boxes/0", "[[1,4,3,4]]": "?boxes/0", "[" + strings.Repeat("[0,0,1,1],", MaxBoxes) + "[0,0,1,1]]": "?boxes",
		strings.Repeat("[", 100_000): "?boxes",
	} {
		got, fields := Boxes(text)
		if got != nil || len(fields) != 1 || fields[0].Pointer != pointer || fields[0].Detail == "" {
			t.Errorf("%.40q: %v, %+v, want %s", text, got, fields, pointer)
		}
	}
}

func TestBoxesThatAreWrittenAreRead(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var want []corpus.Box
		for range rapid.IntRange(1, 20).Draw(t, "n") {
			x, y := rapid.Float32Range(-1000, 1000).Draw(t, "x"), rapid.Float32Range(-1000, 1000).Draw(t, "y")
			want = append(want, corpus.Box{x, y, x + rapid.Float32Range(1, 900).Draw(t, "w"), y + rapid.Float32Range(1, 900).Draw(t, "h")})
		}
		text, err := json.Marshal(want)
		if err != nil {
			t.Fatal(err)
		}
		if got, fields := Boxes(string(text)); fields != nil || cmp.Diff(want, got) != "" {
			t.Fatalf("%s is read as %v, %v", text, got, fields)
		}
	})
}

func TestFileOfAPageIsItsNumber(t *testing.T) {
	for file, want := range map[string]int{"1.png": 1, "12.png": 12, "0.png": 0, "-1.png": 0, "+1.png": 0, "01.png": 0, "1.PNG": 0, "1": 0, ".png": 0, "1.png.png": 0, "99999999999999999999.png": 0, "a.png": 0, "１.png": 0} {
		if n, ok := Number(file); ok != (want > 0) || ok && n != want {
			t.Errorf("%s is page %d, %t", file, n, ok)
		}
	}
}

func TestTagTellsPicturesAndMarksApart(t *testing.T) {
	seen := map[string]string{}
	for _, png := range []string{"", "a", "b"} {
		for _, boxes := range [][]corpus.Box{nil, {{1, 2, 3, 4}}, {{1, 2, 3, 5}}, {{1, 2, 3, 4}, {1, 2, 3, 4}}} {
			what, tag := fmt.Sprint(png, boxes), Tag([]byte(png), boxes)
			if other, ok := seen[tag]; ok {
				t.Errorf("%s and %s have the tag %s", what, other, tag)
			}
			if tag != Tag([]byte(png), boxes) {
				t.Errorf("%s has two tags", what)
			}
			seen[tag] = what
		}
	}
}

func TestClientMayKeepAPictureAndAsks(t *testing.T) {
	for had, want := range map[bool]http.Header{
		false: {"Cache-Control": {"private, no-cache"}, "Content-Length": {"7"}, "Content-Type": {"image/png"}, "Etag": {`"x"`}},
		true:  {"Cache-Control": {"private, no-cache"}, "Etag": {`"x"`}},
	} {
		h := http.Header{"Cache-Control": {"no-store"}}
		if got := Describe(h, `"x"`, 7, had); got != had {
			t.Errorf("the client has it: %t", got)
		}
		if d := cmp.Diff(want, h); d != "" {
			t.Errorf("the client has it, %t: %s", had, d)
		}
	}
}
