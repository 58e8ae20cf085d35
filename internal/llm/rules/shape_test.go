package rules

import (
	"context"
	"fmt"
	"strings"

	"github.com/kaoju/kaoju/internal/llm"
)

// given is a passage as fixed retrieval places it in the context.
type given struct{ ref, key, title, locator, text string }

const testFence = "~~~0123456789abcdef"

// fixedRequest is a request as the loop makes it for fixed retrieval.
func fixedRequest(question string, passages ...given) llm.Request {
	var b strings.Builder
	fmt.Fprintf(&b, "<question>\n%s\n</question>", question)
	if len(passages) > 0 {
		b.WriteString("\n\n<context>\n")
		for _, p := range passages {
			if p.locator == "" {
				p.locator = `{"kind":"md","heading":[],"line":1,"char":[0,1]}`
			}
			fmt.Fprintf(&b, "[%s] doc_key=%q version=1 title=%q locator=%s\n%s\n%s\n%s\n\n", p.ref, p.key, p.title, p.locator, testFence, p.text, testFence)
		}
		b.WriteString("</context>")
	}
	return llm.Request{Messages: []llm.Message{{Role: llm.System, Text: "rules"}, {Role: llm.User, Text: b.String()}}}
}

// reply asks the engine; it can't fail with a living context.
func reply(req llm.Request) llm.Message {
	resp, err := New().Generate(context.Background(), req, nil)
	if err != nil {
		panic(err)
	}
	return resp.Message
}
