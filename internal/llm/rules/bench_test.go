package rules

import (
	"strings"
	"testing"
)

// BenchmarkTurn answers from three documents of some length, in both languages.
func BenchmarkTurn(b *testing.B) {
	list := []given{
		{ref: "C1", key: "travel", title: "差旅制度", text: strings.Repeat(lodging+"\n\n", 8)},
		{ref: "C2", key: "handout", title: "Handout", text: strings.Repeat(handout+"\n\n", 4)},
		{ref: "C3", key: "table", title: "Prices", text: "| item | price |\n|---|---|\n" + strings.Repeat("| BAT-ER34615 | 45 yuan |\n", 40)},
	}
	for _, question := range []string{"上海的住宿上限是多少", "What is the lodging limit in Nanjing?"} {
		b.Run(question, func(b *testing.B) {
			req := fixedRequest(question, list...)
			for b.Loop() {
				reply(req)
			}
		})
	}
}
