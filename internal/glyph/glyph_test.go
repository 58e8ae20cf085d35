package glyph_test

import (
	"strings"
	"testing"

	"github.com/kaoju/kaoju/internal/glyph"
)

func TestWhatSteersIsToldFromText(t *testing.T) {
	for _, r := range "\x00\x07\x1b\r\x7f\u0085\u009b\u200e\u200f\u061c\u202a\u202e\u2066\u2069" {
		if !glyph.Steers(r) || !glyph.Unfit(r) {
			t.Errorf("%U is taken for text", r)
		}
	}
	for _, r := range "\n\t" {
		if !glyph.Steers(r) || glyph.Unfit(r) {
			t.Errorf("%U is fit for a text of lines, and not for a name", r)
		}
	}
	const text = "上限 650 yuan — “quoted”, é, \u00a0, \u3000, 👩\u200d💻, עברית"
	if strings.ContainsFunc(text, glyph.Steers) || strings.ContainsFunc(text, glyph.Unfit) {
		t.Errorf("a character of %q is taken for one that steers", text)
	}
}

func TestWhatNobodySeesIsToldFromWriting(t *testing.T) {
	for _, r := range "\x00\x1b\r\u00ad\u034f\u115f\u180e\u200b\u202e\u2060\u2064\u3164\ufe00\ufe0d\ufeff\uffa0\ufff9\U000e0001\U000e0041\U000e0100\U000e01ef" {
		if !glyph.Hidden(r) {
			t.Errorf("%U can hide in a text", r)
		}
	}
	const text = "上限 650\n\tyuan, é, \u00a0\u3000👩\u200d💻 ☎\ufe0e ❤\ufe0f می\u200cخواهم, עברית, \ufffd \ufe10"
	for _, r := range text {
		if glyph.Hidden(r) {
			t.Errorf("%U is taken for hidden", r)
		}
	}
}
