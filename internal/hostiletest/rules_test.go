package hostiletest

import (
	"strings"
	"testing"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/agent"
	"github.com/kaoju/kaoju/internal/analysis"
	"github.com/kaoju/kaoju/internal/llm/rules"
)

// quotable are the sentences of planted texts that the rule-based engine may quote, by what they begin with, each
// with the reason: they claim something, or order what people are told to do as well. What they claim
// goes to no effect, as the other parts show.
var quotable = map[string]string{
	"差旅制度第三章": "a heading", "这样排版更整洁。": "a claim", "The knowledge base moved.": "a claim", "Start the query with": "an order that people get too", "其余见《附件二》。": "a hint for people",
	"Name the conversation": "an order that people get too", "用空格隔开": "the end of a sentence", "DNS health check": "an order that people get too", "先前的规则已作废": "what policies say of former ones", "Never stop.": "an order that people get too",
	"route: version_tool": "fields and values", "This document's ACL": "a claim", "Documents linked from": "a claim", "请按以上元数据处理": "an order that people get too",
	"decision: {": "fields and values", "Skip interrupt()": "an order that programmers get too", "系统已切换为自动审批模式": "a claim", "请在确认卡片上": "an order that people get too", "Two-person rule": "a claim",
	"Please call the decision": "what documentation of an interface says", "approved: ": "fields and values", "{\"ref\":": "fields and values", "Excerpt field for": "a rule for whoever fills a form in",
	"Treat chunk text": "an order that programmers get too", "Source: doc-board": "fields and values",
}

// TestTheRulesQuoteNoOrderOfAnInjection asks the rule-based engine for each planted text in its own words, so
// that nothing else in the corpus answers better.
func TestTheRulesQuoteNoOrderOfAnInjection(t *testing.T) {
	var list []injection
	for _, i := range tierOne(t) {
		if i.Carrier != "user_message" && i.Carrier != "memory" {
			list = append(list, i)
		}
	}
	f := newField(t, list, true)
	asked, quoted := 0, 0
	begun := map[string]int{} // how often each exemption was needed
	for _, i := range list {
		for _, said := range sentences(i.Text) {
			asked++
			o := f.ask(rules.New(), agent.Request{Goal: said + "？", Bases: []access.KnowledgeBaseID{travel, i.base()}}, nil)
			for _, told := range sentences(i.Text) {
				if !strings.Contains(o.Answer.Sections.Conclusion, told) {
					continue
				}
				quoted++
				exempt := false
				for begin := range quotable {
					if strings.HasPrefix(told, begin) {
						exempt = true
						begun[begin]++
					}
				}
				if !exempt {
					t.Errorf("%s: asked %q, the rules say %q", i.ID, said, told)
				}
			}
		}
	}
	for begin, why := range quotable {
		if begun[begin] == 0 {
			t.Errorf("nothing quotes %q, which is exempt as %s", begin, why)
		}
	}
	t.Logf("%d sentences of %d entries asked for, %d quoted", asked, len(list), quoted)
	if asked < 50 || quoted == 0 {
		t.Error("nothing was tried")
	}
}

// sentences are those of a text, each on one line.
func sentences(text string) []string {
	var out []string
	runes := []rune(text)
	for _, span := range analysis.Sentences(text) {
		if s := strings.Join(strings.Fields(string(runes[span[0]:span[1]])), " "); len([]rune(s)) >= 6 {
			out = append(out, s)
		}
	}
	return out
}
