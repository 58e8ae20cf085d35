package sqlite_test

import (
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
	"github.com/kaoju/kaoju/internal/retrieval"
	"github.com/kaoju/kaoju/internal/run"
	"github.com/kaoju/kaoju/internal/sqlite"
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
	"github.com/kaoju/kaoju/internal/sqlite/signin"
	"github.com/kaoju/kaoju/internal/sqlite/tenancy"
	"github.com/kaoju/kaoju/internal/sqlite/vectors"
)

// The compiler checks that every seam has its type.
var (
	_ access.Directory  = (*directory.Snapshots)(nil)
	_ access.Admin      = (*tenancy.Admin)(nil)
	_ access.Tenancy    = (*tenancy.Tenancy)(nil)
	_ lexicon.Store     = (*tenancy.Lexicons)(nil)
	_ auth.Store        = (*signin.Tokens)(nil)
	_ auth.Logins       = (*signin.Logins)(nil)
	_ auth.Identities   = (*signin.Identities)(nil)
	_ auth.Arrivals     = (*signin.Arrivals)(nil)
	_ approval.Book     = (*approvals.Book)(nil)
	_ approval.Tasks    = (*approvals.Tasks)(nil)
	_ memory.Store      = (*journal.Memory)(nil)
	_ corpus.Catalog    = (*catalog.Documents)(nil)
	_ corpus.Texts      = (*catalog.Texts)(nil)
	_ corpus.Publisher  = (*intake.Publisher)(nil)
	_ corpus.Blobs      = (*blobs.Store)(nil)
	_ corpus.Bases      = (*catalog.Bases)(nil)
	_ retrieval.Store   = (*sqlite.Segments)(nil)
	_ retrieval.Vectors = (*vectors.Store)(nil)
	_ embedding.Store   = (*vectors.Store)(nil)
	_ queue.Queue       = (*vectors.Store)(nil)
	_ queue.Queue       = (*intake.Queue)(nil)
	_ queue.Jobs        = (*intake.Jobs)(nil)
	_ run.Journal       = (*journal.Runs)(nil)
	_ run.Tapes         = (*proof.Store)(nil)
	_ event.Log         = (*journal.Events)(nil)
	_ ledger.Log        = (*chain.Log)(nil)
	_ eval.Results      = (*evaluation.Results)(nil)
	_ ledger.Trees      = (*proof.Store)(nil)
	_ desk.Drafts       = (*journal.Drafts)(nil)
	_ desk.Feedback     = (*journal.Feedback)(nil)
	_ idempotency.Store = (*requests.Store)(nil)
)
