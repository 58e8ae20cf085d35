package wire

import (
	"github.com/kaoju/kaoju/api"
	"github.com/kaoju/kaoju/internal/desk"
	"github.com/kaoju/kaoju/internal/memory"
)

// DraftVersion is a version of a draft without its text.
func DraftVersion(v desk.DraftView) api.DraftVersion {
	if v.BodyReduced {
		v.Hash = "" // of what is not shown: a plain one would confirm a guess, and any other tells nothing
	}
	return api.DraftVersion{
		DraftID: string(v.ID), RunID: string(v.Run), Version: v.No, Title: v.Title, BodyHash: v.Hash, BodyNonce: bodyNonce(v), Reduced: v.Reduced(),
		SavedAt: v.SavedAt.UTC(), CreatedAt: v.CreatedAt.UTC(),
	}
}

// bodyNonce opens the hash of a text that is shown whole.
func bodyNonce(v desk.DraftView) string {
	if v.BodyReduced || v.Nonce == "" {
		return ""
	}
	return v.Version.BodyNonce()
}

// Draft is a version of a draft.
func Draft(v desk.DraftView) api.Draft {
	return api.Draft{
		DraftVersion: DraftVersion(v), LatestVersion: v.Newest, Goal: v.Goal, Body: v.Body,
		// A draft awaits review by its nature, whatever its checks say.
		Citations: Citations(v.Sources, v.Checks), Checks: Each(v.Checks, Check), NeedsConfirmation: true, Integrity: Integrity(v.Integrity),
	}
}

// Feedback is what a person thinks of a sentence.
func Feedback(v desk.MarkView) api.Feedback {
	if v.Withheld {
		v.Hash = "" // those of earlier runs are plain, and would confirm a guess
	}
	return api.Feedback{
		RunID: string(v.Run), UserID: string(v.Actor), Question: v.Question, Sentence: v.Sentence, SentenceHash: v.Hash,
		Verdict: string(v.Opinion), Note: v.Note, Withheld: v.Withheld, CreatedAt: v.CreatedAt.UTC(), UpdatedAt: v.UpdatedAt.UTC(),
	}
}

// Conversation is a conversation of its actor.
func Conversation(c memory.Conversation) api.Conversation {
	return api.Conversation{ConversationID: c.ID, Title: c.Title, Runs: c.Runs, UpdatedAt: c.UpdatedAt.UTC()}
}
