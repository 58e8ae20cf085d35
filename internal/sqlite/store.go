package sqlite

import (
	"github.com/kaoju/kaoju/internal/sqlite/approvals"
	"github.com/kaoju/kaoju/internal/sqlite/blobs"
	"github.com/kaoju/kaoju/internal/sqlite/catalog"
	"github.com/kaoju/kaoju/internal/sqlite/chain"
	"github.com/kaoju/kaoju/internal/sqlite/directory"
	"github.com/kaoju/kaoju/internal/sqlite/evaluation"
	"github.com/kaoju/kaoju/internal/sqlite/intake"
	"github.com/kaoju/kaoju/internal/sqlite/journal"
	"github.com/kaoju/kaoju/internal/sqlite/proof"
	"github.com/kaoju/kaoju/internal/sqlite/requests"
	"github.com/kaoju/kaoju/internal/sqlite/tenancy"
)

// Admin returns the seam to changes of the directory.
func (db *DB) Admin() *tenancy.Admin { return &tenancy.Admin{DB: db.core} }

// Approvals returns the proposals of all tenants with their decisions.
func (db *DB) Approvals() *approvals.Book { return &approvals.Book{DB: db.core} }

// Bases returns the knowledge bases of all tenants.
func (db *DB) Bases() *catalog.Bases { return &catalog.Bases{DB: db.core} }

// Blobs returns the original bytes.
func (db *DB) Blobs() *blobs.Store { return &blobs.Store{DB: db.core} }

// Catalog returns the documents of all tenants.
func (db *DB) Catalog() *catalog.Documents {
	return &catalog.Documents{Reservations: intake.Reservations{DB: db.core}}
}

// Directory returns the directory of all tenants.
func (db *DB) Directory() *directory.Snapshots { return &directory.Snapshots{DB: db.core} }

// Drafts returns the saved drafts of all tenants.
func (db *DB) Drafts() *journal.Drafts { return &journal.Drafts{DB: db.core} }

// Results returns the kept results of evaluations.
func (db *DB) Results() *evaluation.Results { return &evaluation.Results{DB: db.core} }

// Events returns the stored events of all runs.
func (db *DB) Events() *journal.Events { return &journal.Events{DB: db.core} }

// Feedback returns the marks of all tenants.
func (db *DB) Feedback() *journal.Feedback { return &journal.Feedback{DB: db.core} }

// Jobs returns the seam for the owners of jobs.
func (db *DB) Jobs() *intake.Jobs { return &intake.Jobs{DB: db.core} }

// Journal returns the stored runs of all tenants.
func (db *DB) Journal() *journal.Runs {
	return &journal.Runs{DB: db.core, CallOff: approvals.CallOff}
}

// Ledger returns the ledger of all tenants.
func (db *DB) Ledger() *chain.Log { return &chain.Log{Log: proof.Log{DB: db.core}} }

// Proof returns what proves the ledger, and what the steps of runs were.
func (db *DB) Proof() *proof.Store {
	return &proof.Store{Log: proof.Log{DB: db.core}, Signer: db.key}
}

// Memory returns the summaries of conversations.
func (db *DB) Memory() *journal.Memory { return &journal.Memory{DB: db.core} }

// Publisher returns the seam through which parsed versions become visible.
func (db *DB) Publisher() *intake.Publisher { return &intake.Publisher{DB: db.core} }

// Queue returns the queue of all tenants.
func (db *DB) Queue() *intake.Queue { return &intake.Queue{DB: db.core} }

// Requests returns the remembered requests of all tenants.
func (db *DB) Requests() *requests.Store { return &requests.Store{DB: db.core} }

// Tasks returns the approved calls of all tenants.
func (db *DB) Tasks() *approvals.Tasks { return &approvals.Tasks{DB: db.core} }

// Texts returns the content of versions.
func (db *DB) Texts() *catalog.Texts { return &catalog.Texts{DB: db.core, Known: &db.texts} }
