package api

import "time"

// SaveDraft saves the draft of a run. A part that is left out stays as it is: as the run wrote it
// with the first version, as the version before has it after that.
type SaveDraft struct {
	Title *string `json:"title,omitempty"`
	Body  *string `json:"body,omitempty"`
	// BaseVersion is the version last seen; 0 before the first.
	BaseVersion int `json:"base_version" minimum:"0"`
	// DiscardWithheld lets the new text replace one of which a part is withheld from the caller.
	DiscardWithheld bool `json:"discard_withheld,omitempty"`
}

// SavedDraft names a saved version.
type SavedDraft struct {
	DraftID string `json:"draft_id"`
	Version int    `json:"version"`
}

// DraftChange edits a draft. A part that is left out stays as it is.
type DraftChange struct {
	Title           *string `json:"title,omitempty"`
	Body            *string `json:"body,omitempty"`
	DiscardWithheld bool    `json:"discard_withheld,omitempty"`
}

// DraftVersion is one version of a draft without its text. Reduced is true when sentences of it, or
// the title that a person gave, are missing because sources are no longer available to the caller.
type DraftVersion struct {
	DraftID string `json:"draft_id"`
	RunID   string `json:"run_id"`
	Version int    `json:"version"`
	Title   string `json:"title"`
	// BodyHash is over the whole text: an HMAC-SHA-256 under BodyNonce, which is there where the whole text
	// may be read. A version from before there were nonces has a plain SHA-256, shown on the same condition.
	BodyHash  string    `json:"body_hash"`
	BodyNonce string    `json:"body_nonce,omitempty"`
	Reduced   bool      `json:"reduced"`
	SavedAt   time.Time `json:"saved_at"`
	// CreatedAt is when the draft was first saved.
	CreatedAt time.Time `json:"created_at"`
}

// Draft is a version of a draft as the caller may see it now.
type Draft struct {
	DraftVersion
	LatestVersion     int        `json:"latest_version"`
	Goal              string     `json:"goal"`
	Body              string     `json:"body"`
	Citations         []Citation `json:"citations"`
	Checks            []Check    `json:"checks"`
	NeedsConfirmation bool       `json:"needs_confirmation" doc:"True where a person should look before leaning on the answer: something is left to confirm, a cited source is cut short or no longer the published version, sources disagree, a checked sentence is anything but supported (partly, not_found and contradicted alike), the answer was broken off, or it awaits review as every draft does."`
	// Integrity says whether this version is the one whose saving the ledger tells of: "body_hash", "title_hash",
	// "cited" and "checks" are members of that entry. Problems of its run begin with "run/", but for "evidence/S1".
	Integrity *Integrity `json:"integrity"`
}

// NewFeedback is what a person says of an answer, or of one of its sentences. Verdict is "correct",
// "wrong" or "unclear".
type NewFeedback struct {
	RunID    string `json:"run_id"`
	Sentence string `json:"sentence,omitempty"`
	Verdict  string `json:"verdict"`
	Note     string `json:"note,omitempty"`
}

// Feedback is what a person said of one of that person's own answers. An empty sentence is the whole
// answer, and so is an empty hash. When Withheld, sentence and note lean on sources that are no
// longer available to the reader.
type Feedback struct {
	RunID        string    `json:"run_id"`
	UserID       string    `json:"user_id"`
	Question     string    `json:"question"`
	Sentence     string    `json:"sentence"`
	SentenceHash string    `json:"sentence_hash"`
	Verdict      string    `json:"verdict"`
	Note         string    `json:"note"`
	Withheld     bool      `json:"withheld"`
	CreatedAt    time.Time `json:"created_at"`
	UpdatedAt    time.Time `json:"updated_at"`
}
