package claim

import (
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"github.com/kaoju/kaoju/internal/analysis"
)

// only reads the one quantity of a text.
func only(t *testing.T, text string) stated {
	t.Helper()
	list, _ := quantities(analysis.Fold(text))
	if len(list) != 1 {
		t.Fatalf("%s: %d quantities, want 1: %+v", text, len(list), list)
	}
	return list[0]
}

func TestBoundsAreReadWithTheirNumbers(t *testing.T) {
	for text, want := range map[string]bound{
		"650元": exactly, "不超过650元": below, "至多650元": below, "650元以内": below, "650元及以下": below, "上限为650元": below, "不足650元": below,
		"超过650元": above, "不少于650元": above, "650元以上": above, "至少650元": above, "下限是650元": above,
		"650 yuan": exactly, "more than 650 yuan": above, "at least 650 yuan": above, "650 yuan or more": above, "a minimum of 650 yuan": above,
		"less than 650 yuan": below, "up to 650 yuan": below, "no more than 650 yuan": below, "within 650 days": below, "a limit of 650 yuan": below,
	} {
		if got := only(t, text); got.bound != want {
			t.Errorf("%s: bound %d, want %d", text, got.bound, want)
		}
	}
}

func TestSharesAreWrittenInHundredths(t *testing.T) {
	for text, want := range map[string]string{
		"百分之三十": "30", "三分之一": "33.333333333", "四分之三": "75", "三成": "30", "一半": "50", "half of the staff": "50", "two thirds": "66.666666667",
		"one quarter": "25", "千分之五": "0.5", "12.5%": "12.5",
	} {
		if got := only(t, text); got.value != want || got.unit != "%" {
			t.Errorf("%s: %s %s, want %s %%", text, got.value, got.unit, want)
		}
	}
	for _, text := range []string{"三成立", "三成员", "half a day off"} {
		if list, _ := quantities(analysis.Fold(text)); len(list) > 0 && list[0].unit == "%" {
			t.Errorf("%s is taken for a share: %+v", text, list)
		}
	}
}

func TestUnitsOfOneSortAreCompared(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want bool
	}{
		{"2小时", "120分钟", true}, {"2小时", "90分钟", false}, {"1.5 km", "1500 meters", true}, {"两周", "14天", true}, {"three decades", "30 years", true},
		{"24小时", "1天", false}, {"3天", "3个工作日", false}, {"650元", "650美元", false}, {"5吨", "5000公斤", true},
	} {
		if got := equal(only(t, c.a).quantity, only(t, c.b).quantity); got != c.want {
			t.Errorf("%s and %s: equal %v, want %v", c.a, c.b, got, c.want)
		}
	}
}

func TestWhatFollowsFromANumberIsLessThanStatingIt(t *testing.T) {
	for _, c := range []struct {
		have, want string
		implied    bool
	}{
		{"sold 757,000 copies", "sold more than 100,000 copies", true},
		{"sold 757,000 copies", "sold more than 800,000 copies", false},
		{"sold 757,000 copies", "sold more than 100,000 albums", false},
		{"每晚650元", "不到700元", true},
		{"每晚650元", "不到600元", false},
		{"上限为650元", "不超过700元", false}, // another limit
		{"每晚650元", "上限为700元", false},
		{"49 members", "about 50 members", true},
		{"30 members", "about 50 members", false},
		{"3天", "超过2小时", false},
	} {
		have, _ := quantities(analysis.Fold(c.have))
		want := newClaim(c.want).quantities
		if got := implies(have, want[0]); got != c.implied || states(have, want[0]) {
			t.Errorf("%s implies %s: %v, want %v", c.have, c.want, got, c.implied)
		}
	}
}

func TestWhatIsToldForOneOfAUnitIsNoRival(t *testing.T) {
	for sentence, want := range map[string]Verdict{"上海住宿上限为一晚650元。": Supported, "在上海住宿3晚，每晚650元。": NotSupported, "The rate in Shanghai is 650 yuan a night.": NotSupported} {
		if f := Judge(sentence, []*Source{NewSource("上海住宿上限为每晚650元。")}); f.Verdict != want {
			t.Errorf("%s: %s by %s", sentence, f.Verdict, f.Rule)
		}
	}
}

func TestCodesWithWordsAreReadByTheirCode(t *testing.T) {
	for text, want := range map[string]string{"sf1-expressing": "sf1", "m2-phenotype": "m2", "err-1042": "err-1042", "v2.3.1": "2.3.1", "iso-9001": "iso-9001"} {
		if q, _ := readCode(text); q.value != want {
			t.Errorf("%s: %s, want %s", text, q.value, want)
		}
	}
}

// TestANumberOfSomethingElseNeverSupports swaps the numbers of two clauses.
func TestANumberOfSomethingElseNeverSupports(t *testing.T) {
	places := []string{"上海", "北京", "广州", "杭州"}
	rapid.Check(t, func(t *rapid.T) {
		two := rapid.Permutation(places).Draw(t, "places")[:2]
		a := rapid.IntRange(100, 999).Draw(t, "a")
		b := rapid.IntRange(1000, 1999).Draw(t, "b")
		text := fmt.Sprintf("%s住宿上限为每晚%d元，%s住宿上限为每晚%d元。", two[0], a, two[1], b)
		src := []*Source{NewSource(text)}
		for _, c := range []struct {
			place string
			value int
			want  Verdict
		}{{two[0], a, Supported}, {two[1], b, Supported}, {two[0], b, Contradicted}, {two[1], a, Contradicted}} {
			sentence := fmt.Sprintf("%s的住宿上限是每晚%d元。", c.place, c.value)
			if f := Judge(sentence, src); f.Verdict != c.want {
				t.Fatalf("%s against %s: %s by %s", sentence, text, f.Verdict, f.Rule)
			}
		}
	})
}
