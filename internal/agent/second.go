package agent

import (
	"context"
	"fmt"
	"unicode/utf8"

	"github.com/kaoju/kaoju/internal/citation"
	"github.com/kaoju/kaoju/internal/citation/opinion"
	"github.com/kaoju/kaoju/internal/event"
	"github.com/kaoju/kaoju/internal/llm"
	"github.com/kaoju/kaoju/internal/run"
)

// support checks the sentences of an answer: by rules, and by the verifier where there is one. Only
// the end of the run's own context is an error; a verifier that fails leaves the rules' verdicts.
func (w *worker) support(ctx context.Context, answer citation.Answer) ([]citation.Check, error) {
	if w.run.Route == run.Direct {
		return nil, nil
	}
	checks := citation.Verify(answer, w.evidence, w.run.Remarks(answer)...)
	if w.agent.deps.Verifier == nil {
		return checks, nil
	}
	q := opinion.Ask(checks, w.evidence, string(w.run.ID), w.run.Limits.ContextChars)
	if q == nil {
		return checks, nil
	}
	if w.agent.deps.Verifier.Info().Remote {
		if local, err := w.confined(ctx); err != nil {
			return nil, err
		} else if local {
			w.notice(run.LocalOnly)
			return checks, nil
		}
	}
	return w.consult(ctx, q)
}

// consult asks the verifier inside the run's limits. Its call counts as a step, in the usage and
// toward the tokens like any other.
func (w *worker) consult(ctx context.Context, q *opinion.Inquiry) ([]citation.Check, error) {
	r := w.run
	switch limit := r.Limits.Tokens; {
	case r.Use.Steps >= r.Limits.Steps+r.Use.Repairs:
		w.reached("steps", r.Use.Steps, r.Limits.Steps)
	case limit > 0 && r.Use.Tokens > limit:
		w.reached("tokens", r.Use.Tokens, limit)
	default:
		return w.opinion(ctx, q)
	}
	w.notice(run.VerifierFailed)
	return q.Failed(), nil
}

// opinion makes the call and lets its answer change the checks.
func (w *worker) opinion(ctx context.Context, q *opinion.Inquiry) ([]citation.Check, error) {
	call, chars := w.announce(q.Request())
	if err := w.flush(ctx); err != nil {
		return nil, err
	}
	response, err := w.inquire(ctx, q.Request(), call, chars)
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	if err != nil {
		w.notice(run.VerifierFailed)
		return q.Failed(), nil //nolint:nilerr // it was told of as an event, and the rules' verdicts stand
	}
	checks, err := q.Decide(response, w.agent.deps.Verifier.Info().Name)
	if err != nil {
		w.agent.deps.Log.Warn("the verifier's response can't be used", "run_id", w.run.ID, "error", err)
		w.notice(run.VerifierFailed)
	}
	return checks, nil
}

// announce counts the verifier's call before it is made and tells of it, as of a model's call that
// says what it is for.
func (w *worker) announce(request llm.Request) (call string, chars int) {
	r := w.run
	chars = characters(request.Messages)
	r.Use.Steps++
	r.Step++
	hash := hashPrompt(r.Seal, request)
	r.PromptHash = chainHash(r.PromptHash, hash)
	r.Usage.Sent(len(request.Messages), chars)
	call = fmt.Sprintf("m%d", r.Usage.Calls)
	w.emit(event.StepStarted, map[string]any{"step": r.Step})
	w.emit(event.ModelStarted, map[string]any{
		"call_id": call, "messages": len(request.Messages), "prompt_runes": chars, "prompt_hash": hash,
		"purpose": "verify", "model": modelData(w.agent.deps.Verifier.Info()),
	})
	return call, chars
}

// inquire makes the verifier's call under the time limit of a request.
func (w *worker) inquire(ctx context.Context, request llm.Request, call string, chars int) (llm.Response, error) {
	r, verifier := w.run, w.agent.deps.Verifier
	began := w.now()
	limit, release := context.WithTimeout(ctx, r.Limits.Request)
	response, err := verifier.Generate(limit, request, nil)
	timedOut := limit.Err() != nil
	release()
	data := map[string]any{"call_id": call, "latency_ms": w.now().Sub(began).Milliseconds(), "purpose": "verify"}
	if err != nil && ctx.Err() != nil {
		return llm.Response{}, err
	}
	if err != nil {
		w.tapeTurn(verifier.Info(), request, response, w.broke(data, err, timedOut, response))
		return llm.Response{}, err
	}
	w.tapeTurn(verifier.Info(), request, response, "")
	r.Usage.Received(response.Usage, estimateTokens(chars+utf8.RuneCountInString(response.Message.Text)+response.Reasoning))
	r.Use.Tokens = r.Usage.Tokens()
	data["finish"], data["usage"], data["usage_source"] = response.Finish, usageData(response.Usage), usageSource(response.Usage)
	w.emit(event.ModelCompleted, data)
	return response, nil
}
