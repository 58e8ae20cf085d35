package preview

import (
	"sort"

	"github.com/kaoju/kaoju/internal/corpus"
)

// chapterOf returns the file of a book that a block is from; 0 for a block of anything else.
func chapterOf(b corpus.Block) int {
	if len(b.Segments) == 0 {
		return 0
	}
	l, _ := b.Segments[0].Locator.(corpus.EPUBLocator)
	return l.Spine
}

// InChapters reports whether blocks are those of a book.
func InChapters(blocks []corpus.Block) bool { return len(blocks) > 0 && chapterOf(blocks[0]) > 0 }

// Chapters returns the windows that begin with the chapter before that in which a stretch begins, and with
// the one after it, given all blocks of a book; nil at the ends.
func Chapters(blocks []corpus.Block, span corpus.Span) (previous, next *Window) {
	here := sort.Search(len(blocks), func(i int) bool { return blocks[i].Span.End > span.Start })
	if here == len(blocks) {
		return nil, nil
	}
	first := chapterStart(blocks, here)
	if first > 0 {
		previous = &Window{From: blocks[chapterStart(blocks, first-1)].Span.Start}
	}
	for i := here + 1; i < len(blocks); i++ {
		if chapterOf(blocks[i]) != chapterOf(blocks[here]) {
			return previous, &Window{From: blocks[i].Span.Start}
		}
	}
	return previous, nil
}

// chapterStart returns the first block of the chapter that a block is in.
func chapterStart(blocks []corpus.Block, i int) int {
	for i > 0 && chapterOf(blocks[i-1]) == chapterOf(blocks[i]) {
		i--
	}
	return i
}

// near returns the window that begins a little before a place in a block, and of a book no earlier than
// the chapter.
func near(blocks []corpus.Block, block, at int) Window {
	from := max(0, at-wholeChars)
	if chapterOf(blocks[block]) > 0 {
		from = max(from, blocks[chapterStart(blocks, block)].Span.Start)
	}
	return Window{From: from}
}
