package httpapi

import (
	"github.com/kaoju/kaoju/api"
	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/auth"
	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/desk"
	"github.com/kaoju/kaoju/internal/event"
	"github.com/kaoju/kaoju/internal/retrieval"
)

// The command line prints what the REST door answers. These are the same conversions.

// Answer is the wire form of what a run came to.
func Answer(a desk.Account) api.Answer { return wireAnswer(a) }

// Run is the wire form of a run.
func Run(a desk.Account) api.Run { return wireRun(a) }

// Why is the wire form of how a run came to what it says.
func Why(w desk.Why) api.Why { return wireWhy(w) }

// Checkpoint is the wire form of the state of a log.
func Checkpoint(g desk.Grown) api.Checkpoint { return wireCheckpoint(g) }

// Base is the wire form of a knowledge base.
func Base(b desk.Base) api.KnowledgeBase { return wireBase(b) }

// Document is the wire form of a version.
func Document(d desk.Document) api.Document { return wireDocument(d) }

// DocumentVersion is the wire form of the whole text of a version.
func DocumentVersion(t corpus.Text) api.DocumentVersion { return wireVersion(t) }

// Diff is the wire form of what changed between two versions.
func Diff(c desk.Comparison) api.Diff { return wireDiff(c) }

// Proposal is the wire form of a proposal.
func Proposal(p desk.Proposal) api.Proposal { return wireProposal(p) }

// User is the wire form of a user.
func User(id access.Identity) api.User { return wireUser(id) }

// Group is the wire form of a group.
func Group(m access.Membership) api.Group { return wireGroup(m) }

// Token is the wire form of a token, without its secret.
func Token(t auth.Token) api.Token { return wireToken(t) }

// Identity is the wire form of who a person is at a provider.
func Identity(i auth.Identity) api.Identity { return wireIdentity(i) }

// SearchResult is the wire form of a search, without the cursor of a next page.
func SearchResult(r retrieval.Result) api.SearchResult { return wireResult(r) }

// Event is the wire form of an event of a run.
func Event(e event.Event) api.Event { return wireEvent(e) }

// Draft is the wire form of a version of a draft.
func Draft(v desk.DraftView) api.Draft { return wireDraft(v) }

// DraftVersion is the wire form of a version of a draft without its text.
func DraftVersion(v desk.DraftView) api.DraftVersion { return wireDraftVersion(v) }

// Feedback is the wire form of a mark.
func Feedback(v desk.MarkView) api.Feedback { return wireFeedback(v) }
