package claim

import "testing"

// saying is a pair of things that can't both be said of one subject.
type saying struct{ one, other string }

// grids are subjects, and what is said of them: whatever is said of two subjects can be true together, and
// what excludes each other contradicts of one.
var grids = []struct {
	language string
	subjects []string
	sayings  []saying
}{
	{"English",
		[]string{
			"The Cedar office", "The Maple office", "The Birch office", "The head of Cedar", "The trainee",
		},
		[]saying{
			{" is led by Alice Moore.", " is led by Bob Stone."},
			{" is based in Geneva.", " is based in Zurich."},
			{" is managed by Finance.", " is managed by Legal."},
			{" is closed on Monday.", " is closed on Friday."},
			{" may book the large room.", " may not book the large room."},
			{" has 24 lockers.", " has 36 lockers."},
			{" must return the key within 5 days.", " must return the key within 9 days."},
			{" is above the budget.", " is below the budget."},
		},
	},
	{"Chinese",
		[]string{"采购合同", "销售协议", "笔记本电脑", "访客", "研发中心"},
		[]saying{
			{"由张三审核。", "由李四审核。"},
			{"由法务部管理。", "由财务部管理。"},
			{"位于上海。", "位于苏州。"},
			{"可以带离办公室。", "不得带离办公室。"},
			{"的期限为24个月。", "的期限为36个月。"},
			{"每年检查2次，必须登记。", "每年检查5次，必须登记。"},
			{"是高于预算的。", "是低于预算的。"},
		},
	},
}

func TestOfTwoSubjectsAnythingCanBeTrue(t *testing.T) {
	for _, g := range grids {
		for _, a := range g.subjects {
			for _, b := range g.subjects {
				if a == b {
					continue
				}
				for _, s := range g.sayings {
					if f := Judge(a+s.one, []*Source{NewSource(b + s.other)}); f.Verdict == Contradicted {
						t.Errorf("%s: %q against %q is contradicted by %s, %v", g.language, a+s.one, b+s.other, f.Rule, f.Reasons)
					}
				}
			}
		}
	}
}

func TestOfOneSubjectWhatExcludesEachOtherContradicts(t *testing.T) {
	for _, g := range grids {
		for _, a := range g.subjects {
			for _, s := range g.sayings {
				for _, p := range [][2]string{{s.one, s.other}, {s.other, s.one}} {
					if f := Judge(a+p[0], []*Source{NewSource(a + p[1])}); f.Verdict != Contradicted {
						t.Errorf("%s: %q against %q is %s by %s, %v", g.language, a+p[0], a+p[1], f.Verdict, f.Rule, f.Reasons)
					}
				}
			}
		}
	}
}

// What a source says of the claim's subject is not overruled by what it says of another.
func TestAnotherSubjectBesideOverrulesNothing(t *testing.T) {
	for _, g := range grids {
		for i, a := range g.subjects {
			b := g.subjects[(i+1)%len(g.subjects)]
			for _, s := range g.sayings {
				for _, text := range []string{a + s.one + " " + b + s.other, b + s.other + " " + a + s.one} {
					if f := Judge(a+s.one, []*Source{NewSource(text)}); f.Verdict != Supported {
						t.Errorf("%s: %q against %q is %s by %s, %v", g.language, a+s.one, text, f.Verdict, f.Rule, f.Reasons)
					}
				}
			}
		}
	}
}
