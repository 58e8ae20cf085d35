package llmtest

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kaoju/kaoju/internal/llm"
	"github.com/kaoju/kaoju/internal/problem"
)

func ask(text string) llm.Request {
	return llm.Request{Messages: []llm.Message{{Role: llm.User, Text: text}}}
}

func TestScriptPlaysTurnsInOrderAndRecordsRequests(t *testing.T) {
	checked := ""
	s := New(
		Turn{Calls: []llm.ToolCall{Search("住宿 上限")}, Check: func(r llm.Request) { checked = r.Messages[0].Text }},
		Turn{Text: "结论：650 元。[S1]", Usage: Tokens(7, 5)},
	)
	first, err := s.Generate(context.Background(), ask("一"), nil)
	if err != nil {
		t.Fatal(err)
	}
	want := llm.Response{Finish: llm.CallTools, Message: llm.Message{Role: llm.Assistant,
		Calls: []llm.ToolCall{{ID: "call_1_1", Name: "search_knowledge", Arguments: `{"query":"住宿 上限"}`}}}}
	if diff := cmp.Diff(want, first); diff != "" {
		t.Errorf("first turn (-want +got):\n%s", diff)
	}
	var streamed strings.Builder
	second, err := s.Generate(context.Background(), ask("二"), func(d llm.Delta) { streamed.WriteString(d.Text) })
	if err != nil {
		t.Fatal(err)
	}
	if streamed.String() != second.Message.Text || second.Finish != llm.Stop {
		t.Errorf("streamed %q, message %q, finish %q", streamed.String(), second.Message.Text, second.Finish)
	}
	if *second.Usage.Total != 12 {
		t.Errorf("total usage = %d, want 12", *second.Usage.Total)
	}
	if got := s.Requests(); len(got) != 2 || got[1].Messages[0].Text != "二" || checked != "一" {
		t.Errorf("requests = %+v, checked %q", got, checked)
	}
	if _, err := s.Generate(context.Background(), ask("三"), nil); problem.CodeOf(err) != "script_exhausted" {
		t.Errorf("a third request gives %v, want script_exhausted", err)
	}
}

func TestScriptAnswersFromTheRequest(t *testing.T) {
	s := New(Turn{Answer: func(r llm.Request) Turn { return Turn{Text: "echo " + r.Messages[0].Text} }})
	got, err := s.Generate(context.Background(), ask("hello"), nil)
	if err != nil || got.Message.Text != "echo hello" {
		t.Errorf("got %q, %v", got.Message.Text, err)
	}
}

func TestScriptReturnsItsError(t *testing.T) {
	boom := errors.New("boom")
	streamed := ""
	_, err := New(Turn{Text: "half", Err: boom}).Generate(context.Background(), ask("x"), func(d llm.Delta) { streamed += d.Text })
	if !errors.Is(err, boom) || streamed != "half" {
		t.Errorf("got %v after %q", err, streamed)
	}
}

func TestBlockedTurnEndsWithTheContext(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	started := make(chan struct{})
	s := New(Turn{Block: make(chan struct{}), Check: func(llm.Request) { close(started) }})
	done := make(chan error)
	go func() {
		_, err := s.Generate(ctx, ask("x"), nil)
		done <- err
	}()
	<-started
	cancel()
	if err := <-done; !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want context.Canceled", err)
	}
}

func TestRecordedRequestsSurviveChangesByTheCaller(t *testing.T) {
	s := New(Turn{Text: "a"})
	req := ask("before")
	if _, err := s.Generate(context.Background(), req, nil); err != nil {
		t.Fatal(err)
	}
	req.Messages[0].Text = "after"
	if got := s.Requests()[0].Messages[0].Text; got != "before" {
		t.Errorf("recorded request now says %q", got)
	}
}
