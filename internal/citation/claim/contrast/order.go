package contrast

import (
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/kaoju/kaoju/internal/citation/claim/reading"
	"github.com/kaoju/kaoju/internal/citation/claim/wording"
)

var (
	// anchored is what something comes before or after, by its last two characters, with a single character for
	// which of the two.
	anchored = regexp.MustCompile(`([\p{Han}\d]{2})(?:之|以)?(前|后)(?:[^的台期述款往者勤续果排任代世缀备退]|$)|([\p{Han}\d]{1,2})(?:之|以)?(内|外)(?:[^部容存置涵含在心科地国交贸汇币面围因伤观行勤围墙语教省来协套]|$)`)
	// unanchored are words that hold such a character and say no such thing.
	unanchored = regexp.MustCompile(`[目提当此先最今随然落售日背][前后]|前后|前提[^交出供醒]|后[来天]|前[天年]|[另此例意对格]外|内外|[国境海]内|[国境海]外|之外|以外`)
)

// otherOrder returns on which side of a thing a claim is, where a sentence is on the other side of the same:
// 回程前, 回程后. Who says both says nothing.
func otherOrder(c reading.Claim, st *reading.Statement) (Difference, bool) {
	ours, theirs := orders(c.Folded), orders(st.Folded)
	for _, anchor := range slices.Sorted(maps.Keys(ours)) {
		side := ours[anchor]
		if other := theirs[anchor]; other != "" && side != "" && other != side {
			return Difference{"opposite", anchor + side, anchor + other}, true
		}
	}
	return Difference{}, false
}

// orders returns on which side of each anchor a text is, "" for both.
func orders(folded string) map[string]string {
	if !strings.ContainsAny(folded, "前后内外") {
		return nil
	}
	out := map[string]string{}
	for _, m := range anchored.FindAllStringSubmatch(unanchored.ReplaceAllStringFunc(folded, wording.Blank), -1) {
		anchor, side := m[1]+m[3], m[2]+m[4]
		if had, ok := out[anchor]; ok && had != side {
			side = ""
		}
		out[anchor] = side
	}
	return out
}
