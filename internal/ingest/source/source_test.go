package source_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/kaoju/kaoju/internal/ingest/source"
)

// files reads "place=bytes" each; the bytes stand for their checksum.
func files(list ...string) (out []source.File) {
	for _, s := range list {
		place, sum, _ := strings.Cut(s, "=")
		out = append(out, source.File{Path: place, Checksum: sum})
	}
	return out
}

// inForce is a document that the source brought to a place under a key, with bytes, and that is published.
func inForce(key, place, sum string) source.Known {
	return source.Known{Document: "doc of " + key, Key: key, Path: place, Version: 1, Checksum: sum, InForce: "doc of " + key}
}

func draft(key, place, sum string) source.Known {
	k := inForce(key, place, sum)
	k.Draft, k.InForce = true, ""
	return k
}

func archived(key, place, sum string) source.Known {
	k := inForce(key, place, sum)
	k.Archived, k.InForce = true, ""
	return k
}

// told is a plan in words.
func told(p source.Plan) (out []string) {
	for _, t := range p.Take {
		line := fmt.Sprintf("%s %s as %s", t.Kind, t.Path, t.Key)
		if t.From != "" {
			line += " from " + t.From
		}
		out = append(out, line)
	}
	for _, f := range p.Unchanged {
		out = append(out, "unchanged "+f.Path)
	}
	for _, k := range p.Removed {
		out = append(out, "removed "+k.Path+" as "+k.InForce)
	}
	if p.Emptied {
		out = append(out, "emptied")
	}
	return out
}

func TestAPlanSaysWhatIsToBeDone(t *testing.T) {
	known := func(list ...source.Known) []source.Known { return list }
	unreadable := func(place string) bool { return place == "差旅/a.md" }
	for name, c := range map[string]struct {
		now   source.Now
		known []source.Known
		want  []string
	}{
		"a folder that is new": {source.Now{Files: files("b.md=", "a.md=")}, nil, []string{"added a.md as a.md", "added b.md as b.md"}},
		"nothing happened":     {source.Now{Files: files("a.md=1")}, known(inForce("a.md", "a.md", "1")), []string{"unchanged a.md"}},
		"a file changed":       {source.Now{Files: files("a.md=2")}, known(inForce("a.md", "a.md", "1")), []string{"changed a.md as a.md"}},
		"a file went": {source.Now{Files: files("b.md=2")}, known(inForce("a.md", "a.md", "1"), inForce("b.md", "b.md", "2")),
			[]string{"unchanged b.md", "removed a.md as doc of a.md"}},
		"a file moved":  {source.Now{Files: files("差旅/b.md=1")}, known(inForce("a.md", "a.md", "1")), []string{"moved 差旅/b.md as a.md from a.md"}},
		"a draft moved": {source.Now{Files: files("b.md=1")}, known(draft("a.md", "a.md", "1")), []string{"moved b.md as a.md from a.md"}},
		"two files moved, each with its bytes": {source.Now{Files: files("x=1", "y=2")}, known(inForce("a", "a", "1"), inForce("b", "b", "2")),
			[]string{"moved x as a from a", "moved y as b from b"}},
		"two files swapped": {source.Now{Files: files("a=2", "b=1")}, known(inForce("a", "a", "1"), inForce("b", "b", "2")),
			[]string{"changed a as a", "changed b as b"}},
		"one went and two came with its bytes": {source.Now{Files: files("x=1", "y=1", "z=3")}, known(inForce("a", "a", "1"), inForce("z", "z", "3")),
			[]string{"added x as x", "added y as y", "unchanged z", "removed a as doc of a"}},
		"two went with the bytes of one that came": {source.Now{Files: files("x=1", "z=3")}, known(inForce("a", "a", "1"), inForce("b", "b", "1"), inForce("z", "z", "3")),
			[]string{"added x as x", "unchanged z", "removed a as doc of a", "removed b as doc of b"}},
		"a copy beside its original":       {source.Now{Files: files("a=1", "b=1")}, known(inForce("a", "a", "1")), []string{"added b as b", "unchanged a"}},
		"a file that moved before changes": {source.Now{Files: files("b.md=2")}, known(inForce("a.md", "b.md", "1")), []string{"changed b.md as a.md"}},
		"another file where one moved away from": {source.Now{Files: files("a.md=3", "b.md=1")}, known(inForce("a.md", "b.md", "1")),
			[]string{"added a.md as a (2).md", "unchanged b.md"}},
		"the second name is a file's too": {source.Now{Files: files("a (2).md=4", "a.md=3", "b.md=1")}, known(inForce("a.md", "b.md", "1")),
			[]string{"added a (2).md as a (2).md", "added a.md as a (3).md", "unchanged b.md"}},
		"a file comes back where the document's first place was": {source.Now{Files: files("a.md=3", "z=9")}, known(inForce("a.md", "b.md", "1"), inForce("z", "z", "9")),
			[]string{"changed a.md as a.md", "unchanged z"}},
		"a file comes back that was archived": {source.Now{Files: files("a=1")}, known(archived("a", "a", "1")), []string{"added a as a"}},
		"an archived document has no file":    {source.Now{Files: files("b=2")}, known(archived("a", "a", "1"), inForce("b", "b", "2")), []string{"unchanged b"}},
		"an archived document does not move":  {source.Now{Files: files("b=1")}, known(archived("a", "a", "1")), []string{"added b as b"}},
		"a draft is to be published":          {source.Now{Files: files("a=1"), Publish: true}, known(draft("a", "a", "1")), []string{"publish a as a"}},
		"a draft stays one":                   {source.Now{Files: files("a=1")}, known(draft("a", "a", "1")), []string{"unchanged a"}},
		"a draft whose file went":             {source.Now{Files: files("b=2")}, known(draft("a", "a", "1"), inForce("b", "b", "2")), []string{"unchanged b"}},
		"what can't be read is not gone": {source.Now{Files: files("b=2"), Left: unreadable}, known(inForce("a", "差旅/a.md", "1"), inForce("b", "b", "2")),
			[]string{"unchanged b"}},
		"what can't be read did not move": {source.Now{Files: files("b=1"), Left: unreadable}, known(inForce("a", "差旅/a.md", "1")), []string{"added b as b"}},
		"everything went": {source.Now{}, known(inForce("a", "a", "1"), inForce("b", "b", "2"), archived("c", "c", "3")),
			[]string{"removed a as doc of a", "removed b as doc of b", "emptied"}},
		"everything is another": {source.Now{Files: files("x=9")}, known(inForce("a", "a", "1")), []string{"added x as x", "removed a as doc of a", "emptied"}},
		"everything moved":      {source.Now{Files: files("x/a=1", "x/b=2")}, known(inForce("a", "a", "1"), inForce("b", "b", "2")), []string{"moved x/a as a from a", "moved x/b as b from b"}},
	} {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, told(source.Compare(c.now, c.known))); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestAVersionInForceBeforeADraftIsWhatIsRemoved(t *testing.T) {
	k := draft("a", "a", "2")
	k.InForce = "first"
	other := inForce("b", "b", "1")
	got := told(source.Compare(source.Now{Files: files("b=1")}, []source.Known{k, other}))
	if diff := cmp.Diff([]string{"unchanged b", "removed a as first"}, got); diff != "" {
		t.Error(diff)
	}
}

// TestAPlanTreatsEveryFileAndDocumentOnce holds whatever there was and is: every file is dealt with once,
// no two files get one key, and no document that has a file is removed.
func TestAPlanTreatsEveryFileAndDocumentOnce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		names := rapid.SampledFrom([]string{"a", "b", "c", "a (2)", "b (2)"})
		sums := rapid.SampledFrom([]string{"1", "2", "3"})
		now := source.Now{Publish: rapid.Bool().Draw(t, "publish")}
		for _, place := range rapid.SliceOfNDistinct(names, 0, 5, rapid.ID).Draw(t, "files") {
			now.Files = append(now.Files, source.File{Path: place, Checksum: sums.Draw(t, "sum")})
		}
		var known []source.Known
		places := rapid.SliceOfNDistinct(names, 5, 5, rapid.ID).Draw(t, "places")
		for i, key := range rapid.SliceOfNDistinct(names, 0, 5, rapid.ID).Draw(t, "keys") {
			make := rapid.SampledFrom([]func(string, string, string) source.Known{inForce, draft, archived}).Draw(t, "state")
			known = append(known, make(key, places[i], sums.Draw(t, "known sum")))
		}
		plan := source.Compare(now, known)
		dealt, keys := map[string]int{}, map[string]bool{}
		for _, take := range plan.Take {
			dealt[take.Path]++
			if keys[take.Key] {
				t.Fatalf("two files get the key %q: %v", take.Key, told(plan))
			}
			keys[take.Key] = true
		}
		for _, f := range plan.Unchanged {
			dealt[f.Path]++
			i := slices.IndexFunc(known, func(k source.Known) bool { return k.Path == f.Path })
			if keys[known[i].Key] {
				t.Fatalf("%q is unchanged and its key is given away: %v", f.Path, told(plan))
			}
			keys[known[i].Key] = true
		}
		for _, f := range now.Files {
			if dealt[f.Path] != 1 {
				t.Fatalf("%q is dealt with %d times: %v", f.Path, dealt[f.Path], told(plan))
			}
		}
		for _, k := range plan.Removed {
			if keys[k.Key] || k.InForce == "" || slices.ContainsFunc(now.Files, func(f source.File) bool { return f.Path == k.Path }) {
				t.Fatalf("%q is removed: %v", k.Key, told(plan))
			}
		}
	})
}
