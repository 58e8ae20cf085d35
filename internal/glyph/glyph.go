// Package glyph tells code points that are text from those that a person does not see, and that steer
// what shows the text: a terminal, a page, the direction of reading.
package glyph

import "unicode"

// Steers reports whether a code point is a control character, or one that turns the direction of text.
func Steers(r rune) bool { return unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) }

// Unfit reports whether a code point has no place in a text of several lines: it steers, and is neither
// a line's end nor a tab.
func Unfit(r rune) bool { return r != '\n' && r != '\t' && Steers(r) }

// Hidden reports whether a code point is unfit, or one that nobody sees, with which a text can hold
// something else than what is read: a space without width, a tag, a selector of variants. The two that
// join letters, and those that choose between sign and picture, belong to writing, and are not hidden.
func Hidden(r rune) bool { return Unfit(r) || unicode.Is(hidden, r) }

// hidden are the code points that Unicode says to show nothing for, but for those that writing needs.
var hidden = &unicode.RangeTable{
	R16: []unicode.Range16{
		{Lo: 0x00ad, Hi: 0x00ad, Stride: 1}, {Lo: 0x034f, Hi: 0x034f, Stride: 1}, {Lo: 0x115f, Hi: 0x1160, Stride: 1},
		{Lo: 0x17b4, Hi: 0x17b5, Stride: 1}, {Lo: 0x180b, Hi: 0x180f, Stride: 1}, {Lo: 0x200b, Hi: 0x200b, Stride: 1},
		{Lo: 0x2060, Hi: 0x206f, Stride: 1}, {Lo: 0x3164, Hi: 0x3164, Stride: 1}, {Lo: 0xfe00, Hi: 0xfe0d, Stride: 1},
		{Lo: 0xfeff, Hi: 0xfeff, Stride: 1}, {Lo: 0xffa0, Hi: 0xffa0, Stride: 1}, {Lo: 0xfff0, Hi: 0xfffb, Stride: 1},
	},
	R32:         []unicode.Range32{{Lo: 0x1bca0, Hi: 0x1bca3, Stride: 1}, {Lo: 0x1d173, Hi: 0x1d17a, Stride: 1}, {Lo: 0xe0000, Hi: 0xe0fff, Stride: 1}},
	LatinOffset: 1,
}
