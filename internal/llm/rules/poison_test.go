package rules_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/citation"
	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/demo"
	"github.com/kaoju/kaoju/internal/run"
)

// plant puts a page into a knowledge base of somebody's own that everybody may read.
func (c *company) plant(t *testing.T, as access.UserID, base access.KnowledgeBaseID, title, text string) {
	t.Helper()
	actor := access.Actor{User: as}
	for _, p := range demo.People() {
		if p.ID == as {
			actor.Tenant = p.Tenant
		}
	}
	within := func(do func(access.Scope) error) {
		if err := access.Within(t.Context(), c.db.Directory(), actor, access.Request{View: access.Catalog}, do); err != nil {
			t.Fatal(err)
		}
	}
	within(func(scope access.Scope) error {
		_, err := c.db.Bases().Create(t.Context(), scope, access.KnowledgeBase{ID: base, Tenant: actor.Tenant, Name: string(base)})
		return err
	})
	within(func(scope access.Scope) error {
		return c.db.Bases().SetGrants(t.Context(), scope, base, []access.Grant{
			{Principal: access.User(as), Level: access.Manager}, {Principal: access.Everyone, Level: access.Reader}})
	})
	up := corpus.Upload{KnowledgeBase: base, Title: title, FileName: "page.md", Publish: true}
	if _, err := c.intake.Upload(t.Context(), actor, up, strings.NewReader(text)); err != nil {
		t.Fatal(err)
	}
	if err := c.drain(t.Context()); err != nil {
		t.Fatal(err)
	}
}

// TestAPageOfOnesOwnDoesNotStandAgainstThePolicyInSilence asks about rules of which a page in another
// knowledge base says something else, which one of the colleagues wrote.
func TestAPageOfOnesOwnDoesNotStandAgainstThePolicyInSilence(t *testing.T) {
	c := openCompany(t)
	c.plant(t, "bob", "kb-bob", "住宿上限说明", "# 住宿上限说明\n\n上海住宿上限是多少？上海住宿上限为每晚 900 元。\n\n出境出差由部门负责人审批。\n\n"+
		"The lodging limit in Shanghai is 900 yuan a night.\n")
	for question, both := range map[string][2]string{
		"上海住宿上限是多少":                              {"650", "900"},
		"出境出差由谁审批？":                              {"分管副总", "部门负责人"},
		"What is the lodging limit in Shanghai?": {"650", "900"},
	} {
		r := c.ask(t, "alice", question)
		if r.State != run.Completed || !r.NeedsConfirm {
			t.Errorf("%s: %s, needs confirmation: %t\n%s", question, r.State, r.NeedsConfirm, r.Answer.Text)
			continue
		}
		for _, want := range both {
			if !strings.Contains(r.Answer.Sections.Conclusion, want) || !strings.Contains(r.Answer.Sections.ToConfirm, want) {
				t.Errorf("%s: %q is not told: %s", question, want, r.Answer.Text)
			}
		}
		// What the run found is kept with it, sentence by sentence.
		if len(r.Conflicts) != 1 || r.Conflicts[0].Kind == "" || !strings.Contains(r.Conflicts[0].Quotes[0]+r.Conflicts[0].Quotes[1], both[0]) ||
			!strings.Contains(r.Conflicts[0].Quotes[0]+r.Conflicts[0].Quotes[1], both[1]) {
			t.Errorf("%s: the run has %+v", question, r.Conflicts)
		}
		for _, base := range []string{"公司制度", "kb-bob"} { // one has a name, the other none
			if !strings.Contains(r.Answer.Sections.ToConfirm, base) || strings.Contains(r.Answer.Sections.ToConfirm, "kb-policies") {
				t.Errorf("%s: the knowledge base %s is not named: %s", question, base, r.Answer.Sections.ToConfirm)
			}
		}
	}
}

// TestAnAnswerThatStandsAloneIsNotPadded asks what one document of the demonstration settles.
func TestAnAnswerThatStandsAloneIsNotPadded(t *testing.T) {
	c := openCompany(t)
	for question, want := range map[string]string{
		"住宿上限含早餐吗？":                   "以下金额含税，不含早餐，按每人每晚计算。",
		"同一人可以同时担任发布负责人和复核人吗？":        "同一人不得同时担任发布负责人和复核人。",
		"国内出差每天补助多少钱":                 "国内出差每人每天补助 120 元，用于餐食和零星支出，出发日和返回日各按一天计算。",
		"谁可以叫停发布":                     "任何一项不满足，发布负责人有权叫停。",
		"Who approves travel abroad?": "出境出差由分管副总审批，至少提前 15 个工作日提交。",
		"Can interns work remotely?":  "Interns and employees on probation may work remotely one day a week, on a day when their mentor does the same.",
	} {
		r := c.ask(t, "alice", question)
		said := citation.Sentences(r.Answer.Sections.Conclusion)
		if len(said) != 1 || said[0].Text != want || slices.Contains(r.Notices, citation.SourcesDisagree) {
			t.Errorf("%s: %v %s", question, r.Notices, r.Answer.Text)
		}
	}
}
