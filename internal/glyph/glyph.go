// Package glyph tells code points that are text from those that a person does not see, and that steer
// what shows the text: a terminal, a page, the direction of reading.
package glyph

import "unicode"

// Steers reports whether a code point is a control character, or one that turns the direction of text.
func Steers(r rune) bool { return unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) }

// Unfit reports whether a code point has no place in a text of several lines: it steers, and is neither
// a line's end nor a tab.
func Unfit(r rune) bool { return r != '\n' && r != '\t' && Steers(r) }
