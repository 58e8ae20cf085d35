// Package storetest holds what every storage driver must do, as one suite of tests.
//
// Each "must" in the comment of a seam has a test here whose name says it as a sentence. Drivers
// run the suite from their own tests; nobody else imports this package. Its permission oracle and
// its world share no code with the product's decisions.
package storetest

import (
	"slices"
	"testing"
	"time"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/approval"
	"github.com/kaoju/kaoju/internal/auth"
	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/desk"
	"github.com/kaoju/kaoju/internal/embedding"
	"github.com/kaoju/kaoju/internal/eval"
	"github.com/kaoju/kaoju/internal/event"
	"github.com/kaoju/kaoju/internal/idempotency"
	"github.com/kaoju/kaoju/internal/ledger"
	"github.com/kaoju/kaoju/internal/lexicon"
	"github.com/kaoju/kaoju/internal/memory"
	"github.com/kaoju/kaoju/internal/queue"
	"github.com/kaoju/kaoju/internal/recut"
	"github.com/kaoju/kaoju/internal/retrieval"
	"github.com/kaoju/kaoju/internal/run"
)

// Store is a driver: its accessors' values, one a seam, all on the same empty data.
type Store struct {
	Directory  access.Directory
	Admin      access.Admin
	Tenancy    access.Tenancy
	Lexicons   lexicon.Store
	Vocabulary retrieval.Vocabulary
	Auth       auth.Store
	Logins     auth.Logins
	Identities auth.Identities
	Arrivals   auth.Arrivals
	Approvals  approval.Book
	Tasks      approval.Tasks
	Memory     memory.Store
	Requests   idempotency.Store
	Drafts     desk.Drafts
	Feedback   desk.Feedback
	Catalog    corpus.Catalog
	Texts      corpus.Texts
	Publisher  corpus.Publisher
	Blobs      corpus.Blobs
	Bases      corpus.Bases
	Segments   retrieval.Store
	Archive    retrieval.Archive
	Merged     retrieval.Merged
	Embeddings embedding.Store
	Vectors    retrieval.Vectors
	// VectorQueue is the queue of the jobs of Embeddings.
	VectorQueue queue.Queue
	Recuts      recut.Store
	// RecutQueue is the queue of the jobs of Recuts.
	RecutQueue queue.Queue
	Queue      queue.Queue
	Jobs       queue.Jobs
	Journal    run.Journal
	Tapes      run.Tapes
	Events     event.Log
	Ledger     ledger.Log
	Results    eval.Results
	Trees      ledger.Trees
	// Holds returns the places at rest, such as files of the data folder, that hold a text.
	Holds func(t *testing.T, text string) []string
}

// Open makes an empty store that reads the given clock and is closed with the test.
type Open func(t *testing.T, clock func() time.Time) Store

// test is one promise.
type test struct {
	name string
	run  func(*testing.T, *World)
}

// Run runs the whole suite.
func Run(t *testing.T, open Open) {
	chapters := []struct {
		name  string
		tests []test
	}{
		{"Directory", slices.Concat(directoryTests, tenancyTests, lexiconTests)}, {"Bases", baseTests}, {"Reserve", reserveTests}, {"Publish", publishTests},
		{"Catalog", slices.Concat(catalogTests, sourceTests)}, {"Visibility", visibilityTests}, {"Blobs", blobTests}, {"Segments", segmentTests}, {"Merged", mergedTests}, {"Vectors", slices.Concat(vectorTests, vectorModelTests, followTests)}, {"Recuts", recutTests},
		{"Queue", queueTests}, {"Journal", journalTests}, {"Tapes", tapeTests}, {"Resume", resumeTests}, {"Events", eventTests}, {"Ledger", ledgerTests}, {"Trees", treeTests},
		{"Auth", slices.Concat(authTests, tokenTests)}, {"Logins", loginTests}, {"Identities", slices.Concat(identityTests, arrivalTests)}, {"Memory", memoryTests}, {"Requests", requestTests}, {"Drafts", draftTests}, {"Feedback", feedbackTests}, {"Approvals", approvalTests}, {"Decisions", slices.Concat(decisionTests, recheckTests, archivingTests)}, {"Tasks", taskTests}, {"Nonces", nonceTests},
		{"Past", pastTests}, {"Erase", eraseTests}, {"Concurrency", concurrencyTests}, {"Oracle", oracleTests}, {"Results", evaluationTests},
	}
	for _, c := range chapters {
		t.Run(c.name, func(t *testing.T) {
			for _, x := range c.tests {
				t.Run(x.name, func(t *testing.T) {
					x.run(t, newWorld(t, open))
				})
			}
		})
	}
}
