package chunk

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/kaoju/kaoju/internal/corpus"
)

// cut returns the first piece of a unit that doesn't fit the open chunk. Several pieces of a long
// block come out about equally long.
func (c *cutter) cut(b block, u unit) unit {
	room, bytes := c.room(u)
	wish := room
	if len(c.open) == 0 {
		rest := u.to.r - u.from.r
		pieces := (rest + c.opt.TargetChars - 1) / c.opt.TargetChars
		even := rest/max(pieces, 1) + rest/max(4*pieces, 1)
		wish = min(room, max(even, 1))
	}
	text := c.doc.Text[u.from.b:u.to.b]
	at := find(text, b.Kind == corpus.Code, space{wish, room, bytes, len(c.open) == 0}).best(text, b.Kind == corpus.Code)
	u.to = mark{u.from.b + at.b, u.from.r + at.r}
	return u
}

// space is what a piece may take: about as many code points as wished, and at most so many code
// points and bytes; at the beginning of a chunk, white space before its text takes none.
type space struct {
	wish, room, bytes int
	beginning         bool
}

// candidates are the last places of each kind at which a text could be cut, as offsets in it.
type candidates struct {
	sentence, earlier mark // the last end of a sentence or line, and the one before it
	pause             mark // the last space or comma
	character         mark
	limit             mark // where the room ends
}

// best is the place to cut: after a line of code; after a sentence or line of prose; else after a
// space or comma; else between two characters.
func (at candidates) best(text string, code bool) mark {
	switch {
	case at.limit.b == len(text):
		return at.limit
	case code && useful(text, at.sentence):
		return at.sentence
	case code && useful(text, at.earlier):
		return at.earlier
	case !code && at.sentence.r > 0 && at.sentence.r*3 >= at.limit.r:
		return at.sentence
	case at.pause.r > 0 && at.pause.r*2 >= at.limit.r:
		return at.pause
	case at.character.r > 0 && at.character.r >= at.limit.r-maxCluster:
		return at.character
	case at.limit.b > 0: // a cluster longer than any script has
		return at.limit
	}
	_, size := utf8.DecodeRuneInString(text)
	return mark{size, 1}
}

// find goes through text as far as there is room.
func find(text string, code bool, s space) candidates {
	var found candidates
	var at, lead mark
	var before rune
	started, half := !s.beginning, false
	for at.b < len(text) {
		r, size := utf8.DecodeRuneInString(text[at.b:])
		if !started && !unicode.IsSpace(r) {
			started, lead = true, at
		}
		taken := at.r - lead.r
		if started && (taken >= s.room || at.b+size-lead.b > s.bytes) {
			break
		}
		half = regional(before) && !half // of a flag, which is two regional letters
		if at.b > lead.b && started && !joined(before, r) && !(half && regional(r)) {
			found.character = at
			switch {
			case code && (before == '\n' || before == '\r'), !code && ends(text, at.b, before, r):
				found.earlier, found.sentence = found.sentence, at
			case divides(before):
				found.pause = at
			}
		}
		if started && taken >= s.wish && found.character.b > 0 {
			break
		}
		before = r
		at.b += size
		at.r++
	}
	found.limit = at
	return found
}

// maxCluster is how many combining characters are kept with their base.
const maxCluster = 64

// useful reports whether code may be cut at a line end: neither piece may be a lone fence line.
func useful(text string, at mark) bool {
	if at.b == 0 {
		return false
	}
	head, tail := strings.TrimSpace(text[:at.b]), strings.TrimSpace(text[at.b:])
	lone := func(s string) bool { return !strings.ContainsAny(s, "\r\n") && isFence(s) }
	return !lone(head) && !lone(tail)
}

// ends reports whether a sentence or line ends before the character at i.
func ends(text string, i int, before, next rune) bool {
	switch before {
	case '\n':
		return true
	case '\r':
		return next != '\n'
	case '。', '！', '？', '；', '…':
		return !closes(next) && !strings.ContainsRune("。！？…", next)
	case '.', '!', '?':
		return unicode.IsSpace(next)
	}
	if closes(before) {
		last, _ := utf8.DecodeLastRuneInString(text[:i-utf8.RuneLen(before)])
		return strings.ContainsRune("。！？", last) || strings.ContainsRune(".!?", last) && unicode.IsSpace(next)
	}
	return false
}

func closes(r rune) bool { return strings.ContainsRune("”’」』）)]\"'》】", r) }

// divides reports whether a paragraph without sentences may be cut after the character.
func divides(r rune) bool {
	return unicode.IsSpace(r) || strings.ContainsRune("，、：,;:|", r)
}

// joined reports whether two characters are parts of one that is seen, or of one line end.
func joined(before, r rune) bool {
	switch {
	case before == '\r' && r == '\n':
		return true
	case unicode.In(r, unicode.Mn, unicode.Me, unicode.Mc), r == zeroWidthJoiner, before == zeroWidthJoiner:
		return true
	case r >= 0x1f3fb && r <= 0x1f3ff: // skin tones
		return true
	case r >= 0x1160 && r <= 0x11ff, r >= 0xe0020 && r <= 0xe007f: // Hangul vowels and finals, tags
		return true
	}
	return false
}

const zeroWidthJoiner = 0x200d

func regional(r rune) bool { return r >= 0x1f1e6 && r <= 0x1f1ff }

// skip moves from the end of a piece over white space, which belongs to the piece before. In code
// it moves over empty lines only: indentation is content.
func (c *cutter) skip(b block, at mark) mark {
	code := b.Kind == corpus.Code
	lineStart := at
	for at.b < b.to.b {
		r, size := utf8.DecodeRuneInString(c.doc.Text[at.b:])
		if !unicode.IsSpace(r) {
			break
		}
		at.b += size
		at.r++
		if r == '\n' {
			lineStart = at
		}
	}
	if code && at.b < b.to.b {
		return lineStart
	}
	return at
}
