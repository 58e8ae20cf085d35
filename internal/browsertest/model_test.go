package browsertest

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/kaoju/kaoju/internal/llm"
	"github.com/kaoju/kaoju/internal/llm/llmtest"
)

// oracle is a model that searches, reads the travel policy, and says what it is told to.
type oracle struct {
	*llmtest.Server
	mu     sync.Mutex
	answer string
	// query is what it searches for, if not the travel policy.
	query string
	// hold, if not nil, keeps back every answer until it is closed.
	hold chan struct{}
}

func model(t testing.TB, answer string) *oracle {
	t.Helper()
	o := &oracle{answer: answer}
	o.Server = llmtest.NewServer(slices.Repeat([]llmtest.Turn{{Answer: o.turn}}, 1000)...)
	t.Cleanup(o.Close)
	return o
}

// env are the settings under which the program asks this model.
func (o *oracle) env() []string {
	return []string{"KAOJU_MODEL_URL=" + o.URL, "KAOJU_MODEL=script", "KAOJU_MODEL_TOOLS=native"}
}

var documentIn = regexp.MustCompile(`"document_id":"([^"]+)"`)

func (o *oracle) says(text string, hold chan struct{}) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.answer, o.hold = text, hold
}

func (o *oracle) turn(req llm.Request) llmtest.Turn {
	o.mu.Lock()
	answer, hold := o.answer, o.hold
	o.mu.Unlock()
	var all strings.Builder
	for _, m := range req.Messages[1:] {
		all.WriteString(m.Text)
	}
	switch text := all.String(); {
	case strings.Contains(text, `"ref":"S`) || strings.Contains(text, "[S1] doc_key="):
		return llmtest.Turn{Text: answer, Block: hold}
	case strings.Contains(text, `"document_id":"doc-travel-v2"`):
		return llmtest.Turn{Calls: []llm.ToolCall{llmtest.Read("doc-travel-v2")}}
	}
	if found := documentIn.FindStringSubmatch(all.String()); found != nil {
		return llmtest.Turn{Calls: []llm.ToolCall{llmtest.Read(found[1])}}
	}
	return llmtest.Turn{Calls: []llm.ToolCall{llmtest.Search(cmp.Or(o.query, "差旅 上海 住宿 上限"))}}
}
