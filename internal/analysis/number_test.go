package analysis

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// grouped writes a number with commas between its thousands.
func grouped(n int) string {
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// wide writes digits in full width.
func wide(s string) string {
	return strings.Map(func(r rune) rune {
		if r >= '0' && r <= '9' {
			return r + 0xFEE0
		}
		return r
	}, s)
}

func TestEveryNumberHasOneTermInEveryWriting(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(21, 99_999_999).Draw(t, "n")
		want := strconv.Itoa(n)
		for name, text := range map[string]string{"digits": want, "groups": grouped(n), "full width": wide(want), "words": spell(n)} {
			if got := terms(everyone.Tokens("共 " + text + " 元")); !slices.Contains(got, want) {
				t.Fatalf("%s as %s gave %q", text, name, got)
			}
		}
	})
}

func TestAUnitMovesThePointOfANumber(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		whole, tenths := rapid.IntRange(1, 9999).Draw(t, "whole"), rapid.IntRange(0, 9).Draw(t, "tenths")
		for unit, of := range map[string]int{"万": 10_000, "亿": 100_000_000, "千": 1000, "百": 100} {
			text := fmt.Sprintf("约%d.%d%s元", whole, tenths, unit)
			want := strconv.Itoa(whole*of + tenths*of/10)
			if got := ofKind(everyone.Query(text), Numeral); !slices.Equal(got, []string{want}) {
				t.Fatalf("%s gave %q, want %s", text, got, want)
			}
		}
	})
}

func TestAShareHasOneTermInEveryWriting(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 99).Draw(t, "n")
		want := fmt.Sprintf("%d%%", n)
		for _, text := range []string{fmt.Sprintf("%d%%", n), fmt.Sprintf("%d %%", n), fmt.Sprintf("%d percent", n), wide(strconv.Itoa(n)) + "％", "百分之" + spellSmall(n)} {
			if got := ofKind(everyone.Tokens("是 "+text+"。"), Numeral); !slices.Contains(got, want) {
				t.Fatalf("%s gave %q, want %s", text, got, want)
			}
		}
	})
}

func TestAPlaceInALawHasOneTermInBothWritings(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 9999).Draw(t, "n")
		unit := rapid.SampledFrom([]string{"条", "款", "章", "页", "期"}).Draw(t, "unit")
		words := spell(n)
		if n < 100 {
			words = spellSmall(n)
		}
		want := fmt.Sprintf("第%d%s", n, unit)
		for _, text := range []string{want, "第" + words + unit} {
			if got := ofKind(everyone.Tokens("按"+text+"办"), Numeral); !slices.Contains(got, want) {
				t.Fatalf("%s gave %q, want %s", text, got, want)
			}
		}
	})
}

func TestANumberStandsAtItsPlace(t *testing.T) {
	for text, want := range map[string]string{"补贴三千元": "三千", "占百分之五。": "百分之五", "依第十条": "第十条", "涨５ ％了": "５ ％", "共3.5亿元": "3.5亿"} {
		for _, k := range everyone.Tokens(text) {
			if k.Kind == Numeral {
				if got := string([]rune(text)[k.Span[0]:k.Span[1]]); got != want {
					t.Errorf("%s has its number at %q, want %q", text, got, want)
				}
				break
			}
		}
	}
}

func TestNumbersWithoutEndAreLeftAlone(t *testing.T) {
	for _, text := range []string{strings.Repeat("9", 500), strings.Repeat("九", 500), strings.Repeat("千", 500), strings.Repeat("9万", 300), "9" + strings.Repeat("亿", 50),
		strings.Repeat("三亿", 40), "1." + strings.Repeat("0", 400)} {
		for _, k := range everyone.Tokens(text) {
			if k.Kind == Numeral && (len(k.Term) > 24 || strings.HasPrefix(k.Term, "-")) {
				t.Errorf("%.20s… gave %q", text, k.Term)
			}
		}
	}
}
