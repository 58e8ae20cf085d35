// Package draft holds a text that a run wrote and a person took over: its versions, each with what
// it leans on.
//
// A run that writes a draft ends awaiting review. Saving is the person's own request and makes the
// first version; every edit makes another, and all are kept. A version names the evidence that it
// cites by document, version and hash; the passages themselves stay with the run. The text belongs
// to the run's actor alone, and is shown reduced to what that person may still read.
package draft

import (
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/citation"
	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/glyph"
	"github.com/kaoju/kaoju/internal/problem"
	"github.com/kaoju/kaoju/internal/run"
	"github.com/kaoju/kaoju/internal/seal"
)

// Bounds of a draft. Texts count code points.
const (
	MaxBody     = 50_000
	MaxTitle    = 200
	MaxVersions = 100
)

// ID names a draft.
type ID string

// Cited is one piece of evidence that a version cites, without its text.
type Cited struct {
	Ref      string
	Document corpus.DocumentID
	Version  int
	Hash     string // of the excerpt
}

// Version is one state of a draft. When what it leans on was erased, Title and Body are empty and
// the hashes are those of what they were.
type Version struct {
	No     int // from 1
	Title  string
	Titled bool // whether a person gave the title; otherwise it is made of the run's goal
	Body   string
	Nonce  string // makes the nonces of title and body; "" if the hash is plain, and once they were erased
	Hash   string // of the body, hex
	Cited  []Cited
	Checks []citation.Check
	// SavedAt is when it was saved.
	SavedAt time.Time
}

// Hashed returns a version with the hash of its body under a nonce of its own.
func (v Version) Hashed() Version {
	s := seal.New()
	v.Nonce, v.Hash = s.Key, s.Hash("body", v.Body)
	return v
}

// TitleHash returns the hash of the title.
func (v Version) TitleHash() string { return seal.Seal{Key: v.Nonce}.Hash("title", v.Title) }

// BodyNonce returns the nonce that opens the hash of the body.
func (v Version) BodyNonce() string { return seal.Seal{Key: v.Nonce}.Nonce("body") }

// Draft is one version of a draft, with what all versions share.
type Draft struct {
	ID     ID
	Tenant access.TenantID
	Actor  access.UserID
	Run    run.ID
	Newest int // number of the newest version
	Version
	CreatedAt time.Time
}

// Wish is what is to be saved as the next version of a run's draft.
type Wish struct {
	Run run.ID
	// Base is the number of the version that the person has seen; 0 for the first.
	Base   int
	Title  string
	Titled bool
	Body   string
	Refs   []string // that the body cites
	Checks []citation.Check
}

// Filter selects a page of a list.
type Filter struct {
	Limit int
	After string
}

// Conflict is the refusal to save upon a version that is not the newest.
func Conflict() *problem.Error {
	return problem.New(problem.Conflict, "version_conflict", "This draft was saved meanwhile; read its newest version first.")
}

// NotAwaiting is the refusal to save what no run has put up for review.
func NotAwaiting() *problem.Error {
	return problem.New(problem.Conflict, "not_awaiting_review", "Only a run of the kind draft that awaits review can be saved.")
}

// Erased is the refusal to save a draft of whose sources one was erased.
func Erased() *problem.Error {
	return problem.New(problem.Conflict, "evidence_erased", "A source of this draft is no longer available to anybody, and the text that was written from it is gone. Ask for a new draft.")
}

// Full is the refusal of a version beyond the limit.
func Full() *problem.Error {
	return problem.New(problem.Exhausted, "too_many_versions", "A draft has at most %d versions.", MaxVersions)
}

// Reduced is the refusal to overwrite what the person does not see.
func Reduced() *problem.Error {
	return problem.New(problem.Conflict, "draft_reduced",
		"Part of this draft is withheld, since its sources are no longer available to you, and this edit would leave that part out. "+
			"Send discard_withheld to do so; earlier versions stay as they are.")
}

// TitleOf makes a title of a run's goal: its first line, cut short.
func TitleOf(goal string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(goal), "\n")
	line = strings.Join(strings.Fields(strings.Map(func(r rune) rune {
		if r != '\t' && glyph.Unfit(r) {
			return -1
		}
		return r
	}, line)), " ")
	if runes := []rune(line); len(runes) > MaxTitle/2 {
		line = string(runes[:MaxTitle/2-1]) + "…"
	}
	return line
}

// Text makes a body of what a person sent: lines end alike, and the end of the text is cut off.
func Text(body string) string {
	return strings.TrimRight(strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(body), " \t\n")
}

// WrongBody says what is wrong with a body; "" if nothing is.
func WrongBody(body string) string {
	switch {
	case strings.TrimSpace(body) == "":
		return "must not be empty"
	case !utf8.ValidString(body) || strings.ContainsFunc(body, glyph.Unfit):
		return "must be text without control characters other than line ends and tabs"
	case utf8.RuneCountInString(body) > MaxBody:
		return "must not be longer than " + strconv.Itoa(MaxBody) + " characters"
	}
	return ""
}

// WrongTitle says what is wrong with a title; "" if nothing is.
func WrongTitle(title string) string {
	switch {
	case strings.TrimSpace(title) == "":
		return "must not be empty"
	case !utf8.ValidString(title) || strings.ContainsFunc(title, func(r rune) bool { return r == '\n' || r == '\t' || glyph.Unfit(r) }):
		return "must be one line of text without control characters"
	case utf8.RuneCountInString(title) > MaxTitle:
		return "must not be longer than " + strconv.Itoa(MaxTitle) + " characters"
	}
	return ""
}
