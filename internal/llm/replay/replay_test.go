package replay_test

import (
	"context"
	"errors"
	"testing"

	"github.com/kaoju/kaoju/internal/llm"
	"github.com/kaoju/kaoju/internal/llm/replay"
	"github.com/kaoju/kaoju/internal/problem"
)

func said(text string) replay.Turn {
	return replay.Turn{Response: llm.Response{Message: llm.Message{Role: llm.Assistant, Text: text}, Finish: llm.Stop}}
}

func TestTurnsArePlayedInOrderWhoeverIsAsked(t *testing.T) {
	broken := errors.New("connection refused")
	tape := replay.New([]replay.Turn{said("one"), {Err: broken}, said("three")})
	var asked []int
	tape.Asked = func(n int, _ llm.Request) { asked = append(asked, n) }
	model, rules := tape.As(llm.Info{Engine: llm.Model, Name: "m"}), tape.As(llm.Info{Engine: llm.Rules})
	if model.Info().Name != "m" || rules.Info().Engine != llm.Rules {
		t.Errorf("the generators are %v and %v", model.Info(), rules.Info())
	}
	streamed := ""
	one, err := model.Generate(t.Context(), llm.Request{}, func(d llm.Delta) { streamed += d.Text })
	if err != nil || one.Message.Text != "one" || streamed != "one" {
		t.Errorf("the first turn is %+v (streamed %q), %v", one, streamed, err)
	}
	if _, err := model.Generate(t.Context(), llm.Request{}, nil); !errors.Is(err, broken) {
		t.Errorf("the second turn fails with %v", err)
	}
	if tape.Next() != 2 || tape.Left() != 1 {
		t.Errorf("next %d, left %d", tape.Next(), tape.Left())
	}
	if three, err := rules.Generate(t.Context(), llm.Request{}, nil); err != nil || three.Message.Text != "three" {
		t.Errorf("the third turn is %+v, %v", three, err)
	}
	if len(asked) != 3 || asked[2] != 2 || tape.Left() != 0 {
		t.Errorf("asked %v, left %d", asked, tape.Left())
	}
}

func TestAnEndedTapeSaysSo(t *testing.T) {
	tape := replay.New(nil)
	if _, err := tape.As(llm.Info{}).Generate(t.Context(), llm.Request{}, nil); problem.CodeOf(err) != "tape_over" {
		t.Errorf("got %v", err)
	}
}

func TestWhatEndedTheRunEndsTheReplay(t *testing.T) {
	tape := replay.New(nil)
	ctx, cancel := context.WithCancelCause(t.Context())
	stopped := errors.New("the actor cancelled")
	tape.Over = func() { cancel(stopped) }
	if _, err := tape.As(llm.Info{}).Generate(ctx, llm.Request{}, nil); !errors.Is(err, context.Canceled) || !errors.Is(context.Cause(ctx), stopped) {
		t.Errorf("got %v, cause %v", err, context.Cause(ctx))
	}
}
