package rules

import (
	"strings"
	"testing"
)

func TestAQuestionThatLeansOnItsConversationAsksForWhatItSaysItself(t *testing.T) {
	policy := "# 差旅制度\n\n## 2 住宿\n\n上海的住宿上限为每晚 650 元。合住一间按一人的上限报销。\n\n## 5 报销\n\n返回后 10 个工作日内提交报销单，住宿须提供发票。\n"
	tests := []struct{ memory, question, want string }{
		{"上海住宿上限", "那报销呢？", "10 个工作日内提交报销单"},
		{"报销", "那上海的住宿上限呢？", "650 元"},
	}
	for _, tt := range tests {
		q := understand(tt.question, tt.memory)
		f := find(q, []passage{{ref: "S1", text: policy}})
		if len(f.ranked) == 0 || !strings.Contains(f.ranked[0].text, tt.want) {
			t.Errorf("%s after %s: %q", tt.question, tt.memory, f.ranked[0].text)
		}
	}
}
