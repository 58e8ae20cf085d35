package agent

import (
	"context"
	"fmt"
	"unicode/utf8"

	"github.com/kaoju/kaoju/internal/event"
	"github.com/kaoju/kaoju/internal/llm"
	"github.com/kaoju/kaoju/internal/problem"
	"github.com/kaoju/kaoju/internal/run"
)

// turn makes one model call inside the limits.
func (w *worker) turn(ctx context.Context) (llm.Response, error) {
	r := w.run
	if r.Use.Steps >= r.Limits.Steps+r.Use.Repairs {
		w.reached("steps", r.Use.Steps, r.Limits.Steps)
		return llm.Response{}, over(run.LimitSteps)
	}
	if err := w.place(ctx); err != nil {
		return llm.Response{}, err
	}
	request := llm.Request{Messages: w.messages, Thread: string(r.ID)}
	if !fixed(r.Route) {
		request.Tools = w.agent.deps.Executor.Specs(r.Tools)
	}
	chars := characters(w.messages)
	if chars > r.Limits.ContextChars {
		w.reached("context_chars", chars, r.Limits.ContextChars)
		return llm.Response{}, over(run.LimitContext)
	}
	r.Use.Steps++
	r.Step++
	hash := hashPrompt(r.Seal, request)
	r.PromptHash = chainHash(r.PromptHash, hash)
	r.Usage.Sent(len(w.messages), chars)
	call := fmt.Sprintf("m%d", r.Usage.Calls)
	w.emit(event.StepStarted, map[string]any{"step": r.Step})
	w.emit(event.ModelStarted, map[string]any{
		"call_id": call, "messages": len(w.messages), "prompt_runes": chars, "prompt_hash": hash,
	})
	if err := w.flush(ctx); err != nil {
		return llm.Response{}, err
	}
	return w.generate(ctx, request, call, chars)
}

// generate asks the model under the request's time limit, and the rule-based engine in its place
// where the run allows it and the model failed.
func (w *worker) generate(ctx context.Context, request llm.Request, call string, chars int) (llm.Response, error) {
	r, began := w.run, w.now()
	limit, release := context.WithTimeout(ctx, r.Limits.Request)
	response, err := w.generator.Generate(limit, request, nil)
	timedOut := limit.Err() != nil
	release()
	if ctx.Err() != nil {
		return llm.Response{}, context.Cause(ctx)
	}
	data := map[string]any{"call_id": call, "latency_ms": w.now().Sub(began).Milliseconds()}
	if err == nil {
		estimate := 0
		if r.Model.Engine == llm.Model {
			estimate = estimateTokens(chars + characters([]llm.Message{response.Message}) + response.Reasoning)
		}
		r.Usage.Received(response.Usage, estimate)
		r.Use.Tokens = r.Usage.Tokens()
		data["finish"], data["usage"], data["usage_source"] = response.Finish, usageData(response.Usage), usageSource(response.Usage)
		w.tapeTurn(w.generator.Info(), request, response, "")
		if len(response.Attempts) > 0 {
			data["failed_attempts"] = len(response.Attempts)
		}
		w.emit(event.ModelCompleted, data)
		switch response.Finish {
		case llm.Length:
			w.notice(run.OutputTruncated)
		case llm.Filtered:
			w.notice(run.OutputFiltered)
		}
		return response, nil
	}
	reason := w.broke(data, err, timedOut, response)
	w.tapeTurn(w.generator.Info(), request, response, reason)
	return w.fallBack(ctx, end{reason: reason, cause: err})
}

// broke tells of a call of a model that failed, whatever the call was for, and returns the reason
// with which it would end the run.
func (w *worker) broke(data map[string]any, err error, timedOut bool, response llm.Response) run.Reason {
	reason, cause := run.ModelError, llm.CauseOf(err)
	if timedOut || problem.CodeOf(err) == "model_timeout" {
		reason, cause = run.ModelTimeout, llm.Silent
	}
	data["code"] = reason
	if cause != "" {
		data["cause"] = cause
	}
	if tries := len(response.Attempts); tries > 0 {
		data["failed_attempts"] = tries
	}
	w.emit(event.ModelFailed, data)
	log := w.agent.deps.Log
	if purpose, ok := data["purpose"]; ok {
		log = log.With("purpose", purpose)
	}
	log.Warn("model call failed", "run_id", w.run.ID, "call_id", data["call_id"], "code", reason, "cause", cause, "error", err)
	if cause == llm.Unauthorized || cause == llm.Unpaid {
		log.Error("the model's endpoint needs its administrator", "cause", cause)
	}
	return reason
}

// fallBack lets the rule-based engine go on in the place of a model that failed, where the run allows
// it.
func (w *worker) fallBack(ctx context.Context, failed end) (llm.Response, error) {
	r := w.run
	if !r.RulesFallback || w.generator == w.agent.deps.Rules {
		return llm.Response{}, failed
	}
	w.generator = w.agent.deps.Rules
	r.Model = w.generator.Info()
	w.notice(run.RulesFallback)
	w.emit(event.Warning, map[string]any{"code": "rules_fallback"})
	if _, err := w.refresh(ctx); err != nil {
		return llm.Response{}, err
	}
	return w.turn(ctx)
}

// characters counts the code points of a prompt, arguments of tool calls included.
func characters(messages []llm.Message) int {
	n := 0
	for _, m := range messages {
		n += utf8.RuneCountInString(m.Text)
		for _, c := range m.Calls {
			n += utf8.RuneCountInString(c.Arguments)
		}
	}
	return n
}

// estimateTokens guesses tokens from code points: about one for 1.6 of mixed Chinese and English.
func estimateTokens(chars int) int { return chars*5/8 + 1 }
