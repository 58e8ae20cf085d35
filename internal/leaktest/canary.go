// Package leaktest holds the whole product against a written rule of who may see what.
//
// Every version of every document carries canaries of its own: words and numbers that stand
// nowhere else. A random driver changes rights, publishes, archives, deletes, searches, asks,
// reads and replays; every byte that leaves the product is scanned for canaries, and an oracle
// that knows nothing of the product says whether that actor might see that version at that
// moment. The package's own code (canaries, scanner, oracle) imports nothing of the module; the
// tests around it wire the product together.
package leaktest

import (
	"crypto/sha256"
	"encoding/binary"
	"strconv"
	"strings"
)

// Kind says which canary of a version was found.
type Kind string

// The kinds. Text stands in the original alone, Title in the metadata too.
const (
	Token Kind = "token" // a lexical unit
	Fact  Kind = "fact"  // a number of seven digits
	Name  Kind = "name"  // a Chinese name
	Title Kind = "title" // a lexical unit in title, label and file name
	Words Kind = "words" // a lexical unit in what one actor said
)

// Canary is what marks one version of a document, or the words of one actor.
type Canary struct {
	Owner string // version or actor
	Token string
	Fact  string
	Name  string
	Title string
	// Probe is no secret: a word with which anybody can ask about the version.
	Probe string
}

const letters = "abcdefghijkmnpqrstuvwxyz23456789"

var syllables = []rune("朔澜砚黎岚棠霁溪珩霖瀚曜璟枢麓汐烨箬鸢泓钰骁岱蘅")

// Mint makes the canaries of a version; the same names make the same canaries.
func Mint(seed, owner string) Canary {
	h := sha256.Sum256([]byte(seed + "|" + owner))
	word := func(prefix string, b []byte) string {
		var s strings.Builder
		s.WriteString(prefix)
		for _, x := range b {
			s.WriteByte(letters[x&31])
		}
		return s.String()
	}
	more := sha256.Sum256(h[:])
	return Canary{
		Owner: owner, Token: word("qz", h[:12]), Title: word("qt", more[:12]), Probe: word("px", more[12:20]),
		Fact: strconv.Itoa(1000000 + int(binary.BigEndian.Uint32(h[12:16])%9000000)),
		Name: string(syllables[h[16]%24]) + string(syllables[h[17]%24]) + "计划" + strings.ToUpper(string(letters[h[18]&31])) +
			strconv.Itoa(10+int(h[19]%90)),
	}
}

// Grouped writes the fact with separators of thousands.
func (c Canary) Grouped() string { return c.Fact[:1] + "," + c.Fact[1:4] + "," + c.Fact[4:] }
