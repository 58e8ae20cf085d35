package picture

import (
	"hash/maphash"
	"slices"
	"sync"

	"github.com/kaoju/kaoju/internal/sketch"
)

// mostExtents bounds of how many versions it is remembered what they have.
const mostExtents = 256

// extent is what a version has: so many pages, or sheets, of whose names there are hashes alone. Two names with one hash
// cost a look into the version, no more.
type extent struct {
	pages  int
	sheets []uint64
}

// extents remembers what versions have, so that who asks again and again for a page or a sheet that is not there does
// not have the version read each time. Nothing of it is on the disk.
type extents struct {
	mu    sync.Mutex
	seed  maphash.Seed
	known map[string]extent
	order []string // of known, oldest first
}

func newExtents() *extents { return &extents{seed: maphash.MakeSeed(), known: map[string]extent{}} }

// lacksPage reports whether a version is known to have no such page.
func (e *extents) lacksPage(version string, number int) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	pages := e.known[version].pages
	return pages > 0 && number > pages
}

// lacksSheet reports whether a version is known to have no such sheet.
func (e *extents) lacksSheet(version string, sheet sketch.Sheet) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	sheets := e.known[version].sheets
	return len(sheets) > 0 && !slices.Contains(sheets, e.hash(sheet))
}

func (e *extents) hash(s sketch.Sheet) uint64 { return maphash.Comparable(e.seed, s) }

// learn remembers what a version has, as far as something is said of it, within the bounds of a sketch.
func (e *extents) learn(version string, pages int, sheets []sketch.Sheet) {
	if pages <= 0 && len(sheets) == 0 || len(sheets) > sketch.MaxSheets {
		return
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if _, ok := e.known[version]; ok {
		return
	}
	if len(e.order) == mostExtents {
		delete(e.known, e.order[0])
		e.order = e.order[1:]
	}
	has := extent{pages: pages}
	for _, s := range sheets {
		has.sheets = append(has.sheets, e.hash(s))
	}
	e.known[version] = has
	e.order = append(e.order, version)
}

func (e *extents) forget() {
	e.mu.Lock()
	defer e.mu.Unlock()
	clear(e.known)
	e.order = nil
}
