// Package toolkit holds the tools that a run offers to a model: searching the knowledge bases,
// and reading around what a search found.
//
// Each call resolves its scope anew from the directory, so that a right that was taken away holds
// from the next call on. The tools enforce the limits of the run over all its calls; what they
// return is data for the run to register and count, and no text of a document leaves a search
// except its snippets.
package toolkit

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"unicode"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/problem"
	"github.com/kaoju/kaoju/internal/tool"
)

// The names of the tools, as routes list them.
const (
	SearchKnowledge = "search_knowledge"
	ReadDocument    = "read_document"
)

func failure(code tool.Code, format string, args ...any) *tool.Failure {
	return &tool.Failure{Code: code, Detail: fmt.Sprintf(format, args...)}
}

// arguments fills a struct from arguments that satisfy the tool's schema.
func arguments(raw json.RawMessage, into any) error {
	if err := json.Unmarshal(raw, into); err != nil {
		return &tool.Failure{Code: tool.InvalidArguments, Detail: "The arguments do not fit the tool."}
	}
	return nil
}

// wrap names the call that failed and leaves failures and the context's errors as they are.
func wrap(err error, doing string) error {
	var f *tool.Failure
	if err == nil || errors.As(err, &f) || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	if problem.CodeOf(err) == string(tool.TextChanged) {
		return &tool.Failure{Code: tool.TextChanged, Detail: "A stored text is not the one that was taken in.", Err: err}
	}
	return fmt.Errorf("%s: %w", doing, err)
}

// chinese reports whether a text is written in Chinese, which decides the language of messages.
func chinese(text string) bool {
	return strings.ContainsFunc(text, func(r rune) bool { return unicode.Is(unicode.Han, r) })
}

// passage is the frame of a passage of a document: all but its place and text.
func passage(scope access.Scope, d corpus.Document, chunk corpus.ChunkID) corpus.Passage {
	return corpus.Passage{
		Document: d.ID, KnowledgeBase: d.KnowledgeBase, BaseName: scope.BaseName(d.KnowledgeBase), Key: d.Key, Version: d.Version, Status: d.Status,
		Title: d.Title, SourceURI: d.SourceURI, Chunk: chunk,
	}
}

// path returns a heading path that is written as a list even when it is empty.
func path(headings []string) []string {
	if headings == nil {
		return []string{}
	}
	return headings
}

// gone is the answer for a document that is not there for the actor now, for whatever reason.
func gone(err error) error {
	if problem.Is(err, problem.NotFound) {
		return failure(tool.NotFound, "This document is not available.")
	}
	return err
}
