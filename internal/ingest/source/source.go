// Package source compares what a source has now with what it has brought into a knowledge base, and says
// what is to be done: files to take in, and documents whose file is gone.
//
// A document's key stays what it was when its file moves. So a file is known by its place in the source,
// and the place is kept with the versions that came from there. What a source did not bring is never
// archived, and what came another way under the key of a new file is not replaced: the store refuses that.
package source

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"
)

// File is a file that a source has now. Path is its place there, with slashes.
type File struct {
	Path     string
	Checksum string // in lower-case hex; "" if nothing is known of this source yet
}

// Known is a document that a source brought before: the newest of the versions that came from there.
type Known struct {
	Document string
	Key      string
	Path     string
	Version  int
	Checksum string
	// Draft and Archived tell a version that is not in force; Archived, that nothing of the key is. Such a
	// document is as good as not there: a file that comes back is taken in again.
	Draft, Archived bool
	// InForce is the id of the published version if the source brought it, else "".
	InForce string
}

// Kind says why a file is taken in.
type Kind string

// The kinds.
const (
	Added   Kind = "added"
	Changed Kind = "changed"
	Moved   Kind = "moved"   // the same bytes in another place
	Promote Kind = "publish" // the same bytes in the same place, which are a draft and shall be in force
)

// Take is a file that is to be taken in under a key.
type Take struct {
	File
	Key  string
	Kind Kind
	From string // the former place of one that moved
	// Was is the document that it becomes a version of, "" if it was not known.
	Was string
}

// Plan is what brings a knowledge base to what a source has now.
type Plan struct {
	Take      []Take // in order of their places
	Unchanged []File
	// Removed are documents in force whose file is gone, in order of their places.
	Removed []Known
	// Emptied is true when nothing that the source brought is there any more: it was emptied, or it is not
	// what it was, such as a folder on a disk that is not mounted. Then nothing should be removed unasked.
	Emptied bool
}

// Now is what a source has now.
type Now struct {
	Files []File
	// Left reports whether there is something at a place although it is not among the files: it can't be
	// read, or may not be. What stood there is not gone.
	Left func(place string) bool
	// Publish is true where what is taken in shall be in force.
	Publish bool
}

// Compare makes the plan.
func Compare(now Now, known []Known) Plan {
	c := comparison{now: now, at: map[string]Known{}, here: map[string]bool{}, keys: map[string]Known{}, settled: map[string]bool{}}
	for _, f := range now.Files {
		c.here[f.Path] = true
	}
	for _, k := range known {
		if former, ok := c.at[k.Path]; !ok || former.Archived && !k.Archived {
			c.at[k.Path] = k
		}
		c.keys[k.Key] = k
	}
	var unknown []File
	for _, f := range now.Files {
		if k, ok := c.at[f.Path]; ok {
			c.keep(f, k)
		} else {
			unknown = append(unknown, f)
		}
	}
	unknown = c.move(unknown, known)
	for _, f := range unknown {
		c.add(f)
	}
	c.remove(known)
	slices.SortFunc(c.plan.Take, func(a, b Take) int { return strings.Compare(a.Path, b.Path) })
	return c.plan
}

// comparison is a plan that is being made.
type comparison struct {
	now     Now
	at      map[string]Known // by place
	keys    map[string]Known // by key
	here    map[string]bool  // places of files
	settled map[string]bool  // keys whose document has a file
	plan    Plan
}

// keep settles a file in a place that the source brought something from.
func (c *comparison) keep(f File, k Known) {
	c.settled[k.Key] = true
	switch {
	case k.Archived:
		c.take(f, k, Added)
	case f.Checksum != k.Checksum:
		c.take(f, k, Changed)
	case c.now.Publish && k.Draft:
		c.take(f, k, Promote)
	default:
		c.plan.Unchanged = append(c.plan.Unchanged, f)
	}
}

func (c *comparison) take(f File, k Known, kind Kind) {
	t := Take{File: f, Key: k.Key, Kind: kind, Was: k.Document}
	if kind == Moved {
		t.From = k.Path
	}
	c.plan.Take = append(c.plan.Take, t)
}

// gone reports whether the file of a document that was not archived is there no more.
func (c *comparison) gone(k Known) bool {
	return !k.Archived && !c.settled[k.Key] && !c.here[k.Path] && (c.now.Left == nil || !c.now.Left(k.Path))
}

// move finds files that went and came with the same bytes, where there is no doubt which is which: one
// that went, and one that came. It returns the files that are left.
func (c *comparison) move(came []File, known []Known) (left []File) {
	went, arrived := map[string][]Known{}, map[string]int{}
	for _, k := range known {
		if c.gone(k) {
			went[k.Checksum] = append(went[k.Checksum], k)
		}
	}
	for _, f := range came {
		arrived[f.Checksum]++
	}
	for _, f := range came {
		if k := went[f.Checksum]; len(k) == 1 && arrived[f.Checksum] == 1 {
			c.settled[k[0].Key] = true
			c.take(f, k[0], Moved)
		} else {
			left = append(left, f)
		}
	}
	return left
}

// add takes in a file that is new. Its key is its place, unless a document that moved away has that key.
// One whose file went gets this as its next version.
func (c *comparison) add(f File) {
	key := f.Path
	for n := 2; c.taken(key, f.Path); n++ {
		ext := path.Ext(f.Path)
		key = fmt.Sprintf("%s (%d)%s", strings.TrimSuffix(f.Path, ext), n, ext)
	}
	kind := Added
	k, ok := c.keys[key]
	if ok && !k.Archived {
		kind = Changed
	}
	c.settled[key] = true
	c.plan.Take = append(c.plan.Take, Take{File: f, Key: key, Kind: kind, Was: k.Document})
}

// taken reports whether a key is that of another file's document, or the place of another file, whose key
// it may become.
func (c *comparison) taken(key, place string) bool {
	if c.settled[key] || key != place && c.here[key] {
		return true
	}
	k, ok := c.keys[key]
	return ok && !k.Archived && !c.gone(k)
}

func (c *comparison) remove(known []Known) {
	live, gone := 0, 0
	for _, k := range known {
		if k.Archived {
			continue
		}
		live++
		if !c.gone(k) {
			continue
		}
		gone++
		if k.InForce != "" {
			c.plan.Removed = append(c.plan.Removed, k)
		}
	}
	c.plan.Emptied = len(c.plan.Removed) > 0 && gone == live
	slices.SortFunc(c.plan.Removed, func(a, b Known) int {
		return cmp.Or(strings.Compare(a.Path, b.Path), strings.Compare(a.Key, b.Key))
	})
}
