package dxf

import (
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"
)

func TestCodesOfATextAreTheCharactersTheyStandFor(t *testing.T) {
	for in, want := range map[string]string{
		"%%c1200 %%p0.5 45%%d":       "Ø1200 ±0.5 45°",
		"%%uunder%%u %%oover%%O":     "under over",
		"100%%%":                     "100%",
		"%%065%%066 %%9":             "AB %%9",
		"50%% of it":                 "50%% of it",
		`\U+957F\u+6C5F`:             "长江",
		`\U+D83D\U+DE04`:             "😄",
		`\U+D83D only`:               "\ufffd only",
		`\U+95`:                      `\U+95`,
		`\U+ZZZZ`:                    `\U+ZZZZ`,
		`\M+5BBF9\M+5B4A1`:           "基础",
		`\M+182A0`:                   "あ",
		`\M+9BBF9`:                   `\M+9BBF9`,
		"a^Ib^ c^Jd^Me^":             "a\tb^c\nde^",
		`C:\plans\{1}`:               `C:\plans\{1}`,
		`{\fArial;no codes of MTEXT`: `{\fArial;no codes of MTEXT`,
	} {
		if got := plain(in); got != want {
			t.Errorf("%q is %q, want %q", in, got, want)
		}
	}
}

func TestCodesOfAParagraphAreLeftOutOrWritten(t *testing.T) {
	for in, want := range map[string]string{
		`{\fSimSun|b0|i0|c134|p2;主入口}\P净宽%%c1200`:          "主入口\n净宽Ø1200",
		`\A1;\H2.5x;\W0.8;\Q15;\T2;\C1;\c255;\pi0,l4;text`: "text",
		`\LUnder\l \Oover\o \Kthrough\k`:                   "Under over through",
		`a\~b\\c\{d\}`:                                     `a b\c{d}`,
		`1\S1/2; and 3\S1#4;`:                              "1 1/2 and 3 1/4",
		`30\S+0.1^-0.2;`:                                   "30 +0.1/-0.2",
		`25 m\S2^;`:                                        "25 m2",
		`H\S^2;O`:                                          "H2O",
		`\S5\/8^;`:                                         "5/8",
		`\Sno end`:                                         `\Sno end`,
		`\fno end`:                                         `\fno end`,
		`C:\data`:                                          `C:\data`,
		`\U+957F\P\M+5BBF9`:                                "长\n基",
		`{\Fgdt;j}%%v{\Fgdt;n}0.1{\Fgdt;m}%%vA`:            "⌖ | Ø0.1Ⓜ | A",
		`{\fGDT|b0|i0;n}n`:                                 "Øn",
		`}}a{{b`:                                           "ab",
		`one\Ntwo\Xthree`:                                  "one\ntwo\nthree",
		strings.Repeat("{", 500) + "deep":                  "deep",
	} {
		if got := rich(in); got != want {
			t.Errorf("%q is %q, want %q", in, got, want)
		}
	}
}

func TestAnyTextOfCodesEndsAndIsText(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := strings.Join(rapid.SliceOf(rapid.SampledFrom([]string{
			`\`, "{", "}", ";", "%%", "^", "S", "f", "U+", "M+5", "P", "1", "b", "B0", "长", "/", "#", " ", "c", "gdt",
		})).Draw(t, "text"), "")
		for _, out := range []string{plain(in), rich(in)} {
			if !utf8.ValidString(out) || len(out) > 4*len(in) {
				t.Fatalf("%q is %q", in, out)
			}
		}
	})
}

func TestNumbersThatAreNoneAreNothing(t *testing.T) {
	for _, v := range []string{"", "x", "NaN", "Inf", "-Inf", "1e300", "0x10p900"} {
		if n := (tag{value: v}).number(); n != 0 {
			t.Errorf("%q is %v", v, n)
		}
	}
	if n := (tag{value: " -1.5e3 "}).number(); n != -1500 {
		t.Errorf("it is %v", n)
	}
}
