package rules

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

var lineScraps = []string{"-", "*", "+", "•", "·", ">", "#", "##", "1.", "12)", "3、", "[x]", "[S1]", "[S", "C2]", "【S3】", "（C4）", "(s 5)", " ", "  ", "\t", "上海", "lodging", "650", "：", "?", "？", "**", "==="}

// TestShortCutsChangeNoReading draws lines: what is looked at before a pattern never decides otherwise than
// the pattern itself.
func TestShortCutsChangeNoReading(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		line := strings.Join(rapid.SliceOfN(rapid.SampledFrom(lineScraps), 0, 8).Draw(t, "line"), "")
		if got, want := leading(line), leadMark.FindString(line); got != want {
			t.Fatalf("%q leads with %q, want %q", line, got, want)
		}
		if got, want := referring(line), refLike.MatchString(line); got != want {
			t.Fatalf("%q refers: %v, want %v", line, got, want)
		}
		body := strings.TrimSpace(line)
		if underline.MatchString(body) && strings.Trim(body, "=-") != "" || boldLine.MatchString(body) && strings.Trim(body, "*_") == body || askedLine.MatchString(body) && !endsIn(body, "?？") {
			t.Fatalf("%q is passed over", body)
		}
		if !strings.ContainsRune(line, '\t') && entryLine.MatchString(body) && !strings.Contains(body, "  ") {
			t.Fatalf("%q is an entry and passed over", body)
		}
	})
	for line, want := range map[string]bool{"- lodging": true, "1. lodging": true, "lodging": false, "": false, "   ": false} {
		if got := leading(line) != ""; got != want {
			t.Errorf("%q leads: %v", line, got)
		}
	}
}

func TestUnitsOfOneSectionShareWhatIsAroundThem(t *testing.T) {
	p := passage{doc: "a", title: "Travel", text: "# Lodging\n\nShanghai is 650. Nanjing is 560.\n\n# Meals\n\nLunch is 35."}
	all, _ := units(&p)
	bags := gather(understand("What is the lodging limit in Nanjing?", ""), all)
	for i, u := range all {
		if u.title {
			continue
		}
		under := u.heading[len(u.heading)-1]
		if got := bags[i].around["lodg"]; got != (under == "Lodging") {
			t.Errorf("%q below %q: the heading is around it: %v", u.text, under, got)
		}
		if got := bags[i].own["nanj"] || bags[i].own["nanjing"]; got != strings.Contains(u.text, "Nanjing") {
			t.Errorf("%q has its own words: %v", u.text, got)
		}
		if got := bags[i].near["lodg"]; got != (under == "Lodging") {
			t.Errorf("%q below %q: the heading is about what is asked: %v", u.text, under, got)
		}
	}
}

func TestWhatIsAboutNothingAskedHasNoWorth(t *testing.T) {
	f := find(understand("What is the lodging limit in Nanjing?", ""), []passage{{doc: "a", text: "Bicycles cost 90 dollars in June 2026."}})
	for _, s := range f.ranked {
		if s.score != 0 || s.coverage != 0 || s.typed {
			t.Errorf("%q: %+v", s.text, s)
		}
	}
	if f.settled {
		t.Error("it is taken for an answer")
	}
}
