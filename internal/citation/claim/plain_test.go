package claim

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/kaoju/kaoju/internal/citation/claim/wording"
)

// against is what a plain contradiction is: a sentence, the text that says otherwise, and by which rule.
var against = []struct{ sentence, text, rule string }{
	// What one of the two denies in the first place.
	{"Carvedilol improves clinical outcomes in children.", "Carvedilol does not significantly improve clinical outcomes in children.", "negation"},
	{"The firmware never stores customer records.", "The firmware stores customer records for thirty days.", "negation"},
	{"员工可以携带锂电池登机。", "员工不得携带锂电池登机。", "negation"},
	{"外部人员未经允许进入机房。", "外部人员经允许进入机房。", "negation"},
	{"合同没有规定违约金。", "合同规定违约金。", "negation"},
	// Opposite words about the same thing.
	{"The drug decreases telomere fragility in deficient cells.", "The drug increases telomere fragility in deficient cells.", "opposite"},
	{"The travel expenses are above the limit.", "The travel expenses are below the limit.", "opposite"},
	{"The downregulation deactivates the pathway.", "Thus, the downregulation activates the pathway in patients.", "opposite"},
	{"本季度差旅成本上升。", "本季度差旅成本下降。", "opposite"},
	{"实际费用高于预算。", "实际费用低于预算。", "opposite"},
	{"供应商必须投保。", "供应商自愿投保。", "opposite"},
	{"体检对员工免费。", "体检对员工收费。", "opposite"},
	// Another name in the same place.
	{"The Cedar Project is led by Bob Stone.", "The Cedar Project is led by Alice Moore.", "name"},
	{"The archive is stored in Geneva.", "The archive is stored in Zurich.", "name"},
	{"出境出差由张三审批。", "出境出差由李四审批。", "name"},
	{"总部位于上海。", "公司总部位于苏州。", "name"},
	// Another of a set of which there is one.
	{"The canteen is closed on Monday.", "The canteen is closed on Friday.", "name"},
	{"例会定在周二上午召开。", "例会定在周四上午召开。", "name"},
	{"例会定在星期二上午召开。", "例会定在星期四上午召开。", "name"},
	{"Dreamer is a Canadian drama film.", "Dreamer is a 2005 American drama film.", "name"},
	// Another number, unit or date.
	{"The first album appeared in 2003.", "The first album appeared on 2 March 2005.", "number"},
	{"首张专辑在2003年发行。", "首张同名专辑于2005年3月2日发行。", "number"},
	{"The warranty covers 24 months of use.", "The warranty covers 36 months of use.", "number"},
	{"押金为每人300元。", "押金为每人500元。", "number"},
}

func TestAPlainContradictionIsSeen(t *testing.T) {
	for _, c := range against {
		f := Judge(c.sentence, []*Source{NewSource(c.text)})
		if f.Verdict != Contradicted || f.Rule != c.rule || f.Quote == "" {
			t.Errorf("%q against %q: %s by %s, %v; want contradicted by %s", c.sentence, c.text, f.Verdict, f.Rule, f.Reasons, c.rule)
		}
		if f.Score >= firmly {
			t.Errorf("%q against %q: contradicted, with a score of %.3f", c.sentence, c.text, f.Score)
		}
	}
}

func TestWhatTheOtherSaysTooIsNoContradiction(t *testing.T) {
	for _, c := range []struct{ why, sentence, text string }{
		{"denied and its opposite", "Tobacco is not allowed in the house.", "Tobacco is prohibited in the house."},
		{"denied and its opposite", "费用没有上升。", "费用下降。"},
		{"both opposites, each of something else", "The drug increases growth and decreases appetite.", "The drug increases growth."},
		{"both opposites, each of something else", "The fee includes breakfast and excludes dinner.", "The fee includes breakfast."},
		{"fewer days", "办公时间为周一至周五。", "办公时间为周一至周六。"},
		{"fewer days", "The office is open Monday to Thursday.", "The office is open Monday to Friday."},
		{"another day beside", "前台周一至周六有人值班。", "前台周一至周五9:00至18:00有人值班，周六9:00至12:00有人值班。"},
		{"other days", "The office is open Monday to Friday.", "The office is closed Saturday to Sunday."},
		{"another thing", "食堂周一至周六供应午餐。", "食堂周一至周五供应晚餐。"},
		{"another subject", "The canteen is open Monday to Saturday.", "The office is open Monday to Friday."},
		{"over the end of the week", "The desk is staffed Friday to Monday.", "The desk is staffed Friday to Sunday."},
		{"neither of two opposites", "The fee did not rise in May.", "The fee did not fall in May."},
		{"neither of two opposites", "本月费用没有上升。", "本月费用没有下降。"},
		{"decimals as journals write them", "Some 4.5 million people were treated.", "Some 4·5 million people were treated in hospital."},
		{"both deny the same", "Growth alone is not sufficient for progress.", "While growth is necessary, growth alone is not sufficient for progress."},
		{"a thing is denied, not what is said", "Lack of sleep leads to plaque formation in mice.", "Sleep deficiency leads to plaque formation in mice."},
		{"a bound is no denial", "每晚住宿费上限按标准执行。", "每晚住宿费不得超过标准，上限按标准执行。"},
		{"until is no denial", "The dynasty was proclaimed by Khan in the north.", "It was not until then that Khan proclaimed the dynasty in the north."},
		{"a continent is no denial", "公司在非洲开设办事处。", "公司在东非开设办事处，非洲业务由其负责。"},
		{"a place and its people", "Florida was ceded to Britain after the war.", "Florida was ceded to the British after the war."},
		{"both of a set", "The film is American.", "The film is a British and American production."},
		{"a denied name", "The album is not by Danny Devito.", "The album is by Pink Floyd."},
		{"an ordinal is no share", "The series was renewed for a fifth season.", "The series was renewed for 50% more money and a fifth season."},
		{"an interval says how sure", "The therapy reduced the risk by 30% among patients.", "The therapy reduced the risk among patients (95% CI 10 to 50)."},
		{"a year is no count", "It was widely sold in 2003 to shops.", "It was widely sold to 12 shops."},
		{"the opposite is said of something else", "The company increased its dividend after a long debate among shareholders.", "Parking fees were reduced. After a long debate among shareholders the company confirmed its dividend, and nurses had their shifts reduced."},
		{"of two numbers one is about something else", "The AX-100 meter was sold for 300 yuan in shops.", "The AX-200 meter was sold for 500 yuan in shops."},
	} {
		if f := Judge(c.sentence, []*Source{NewSource(c.text)}); f.Verdict == Contradicted {
			t.Errorf("%s: %q against %q is contradicted by %s, %v", c.why, c.sentence, c.text, f.Rule, f.Reasons)
		}
	}
}

func TestASentenceAboutSomebodyElseNeitherSupportsNorContradicts(t *testing.T) {
	for _, c := range []struct{ sentence, text string }{
		{"国外出差每人每天补助120元。", "国内出差每人每天补助120元。"},
		{"国外出差每人每天补助200元。", "国内出差每人每天补助120元。"},
		{"女子满15岁时举办冠礼。", "男子满20岁时举办冠礼。"},
		{"全职员工每年有十天年假。", "兼职员工每年有五天年假。"},
		{"International calls are paid up to 30 yuan a month.", "Domestic calls are paid up to 30 yuan a month."},
		{"Full-time employees have ten days of leave.", "Part-time employees have five days of leave."},
	} {
		f := Judge(c.sentence, []*Source{NewSource(c.text)})
		if f.Rule != "opposite" || f.Verdict != Partly && f.Verdict != NotSupported {
			t.Errorf("%q against %q: %s by %s, %v", c.sentence, c.text, f.Verdict, f.Rule, f.Reasons)
		}
	}
	both := NewSource("国内出差每人每天补助120元。国外出差每人每天补助200元。")
	if f := Judge("国外出差每人每天补助200元。", []*Source{both}); f.Verdict != Supported {
		t.Errorf("what the next sentence says is %s by %s", f.Verdict, f.Rule)
	}
	if f := Judge("国外出差的每人每天补助是120元。", []*Source{both}); f.Verdict != Contradicted {
		t.Errorf("another value than the next sentence has is %s by %s", f.Verdict, f.Rule)
	}
}

func TestASentenceBesideTheNearestMayContradict(t *testing.T) {
	text := "The study was about sildenafil, erectile function and dysfunction. In the end sildenafil improved erectile function in men."
	f := Judge("Sildenafil worsened erectile function in men with dysfunction.", []*Source{NewSource(text)})
	if f.Verdict != Contradicted || f.Quote != "In the end sildenafil improved erectile function in men." {
		t.Errorf("%s by %s: %q", f.Verdict, f.Rule, f.Quote)
	}
}

func TestAWordOfTheSameFamilyCountsInPart(t *testing.T) {
	score := func(text string) float64 {
		return Judge("The inhibitor stopped transcription in yeast.", []*Source{NewSource(text)}).Score
	}
	same, family, none := score("The inhibitor stopped the transcription in the yeast."), score("The inhibitor stopped the transcriptase in the yeast."), score("The inhibitor stopped growth in yeast.")
	if same <= family || family <= none {
		t.Errorf("the word %.3f, one of its family %.3f, none %.3f", same, family, none)
	}
	for _, c := range []struct {
		a, b string
		want bool
	}{{"transcript", "transcript", true}, {"transcript", "transcriptas", true}, {"appear", "appearanc", false}, {"stab", "stabil", false}, {"protein", "protest", false}} {
		if got := wording.Kindred(c.a, c.b); got != c.want || wording.Kindred(c.b, c.a) != got {
			t.Errorf("%s and %s: kindred %v, want %v", c.a, c.b, got, c.want)
		}
	}
}

// TestNoTextContradictsItself draws sentences of what contradictions are made of.
func TestNoTextContradictsItself(t *testing.T) {
	scraps := []string{"不得", "没有", "上升", "下降", "由张三审批", "位于上海", "周二", "周四", "，", "。", "The film is American", " not ", " without ", " by Bob Stone", "increases", " reduces ", "2003", " on Monday", "4·5 million", "300元", "不是300元", " is not 3 May 2026", " "}
	rapid.Check(t, func(t *rapid.T) {
		text := ""
		for _, s := range rapid.SliceOfN(rapid.SampledFrom(scraps), 1, 10).Draw(t, "text") {
			text += s
		}
		if f := Judge(text, []*Source{NewSource(text)}); f.Verdict == Contradicted {
			t.Fatalf("%q contradicts itself by %s: %v", text, f.Rule, f.Reasons)
		}
	})
}
