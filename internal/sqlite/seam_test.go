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
	"github.com/kaoju/kaoju/internal/sqlite/proof"
	"github.com/kaoju/kaoju/internal/sqlite/signin"
	"github.com/kaoju/kaoju/internal/sqlite/tenancy"
	"github.com/kaoju/kaoju/internal/sqlite/vectors"
)

// The compiler checks that every seam has its type.
var (
	_ access.Directory  = (*sqlite.Directory)(nil)
	_ access.Admin      = (*sqlite.Admin)(nil)
	_ access.Tenancy    = (*tenancy.Tenancy)(nil)
	_ lexicon.Store     = (*tenancy.Lexicons)(nil)
	_ auth.Store        = (*signin.Tokens)(nil)
	_ auth.Logins       = (*signin.Logins)(nil)
	_ auth.Identities   = (*signin.Identities)(nil)
	_ auth.Arrivals     = (*signin.Arrivals)(nil)
	_ approval.Book     = (*sqlite.Approvals)(nil)
	_ approval.Tasks    = (*sqlite.Tasks)(nil)
	_ memory.Store      = (*sqlite.Memory)(nil)
	_ corpus.Catalog    = (*sqlite.Catalog)(nil)
	_ corpus.Texts      = (*sqlite.Texts)(nil)
	_ corpus.Publisher  = (*sqlite.Publisher)(nil)
	_ corpus.Blobs      = (*sqlite.Blobs)(nil)
	_ corpus.Bases      = (*sqlite.Bases)(nil)
	_ retrieval.Store   = (*sqlite.Segments)(nil)
	_ retrieval.Vectors = (*vectors.Store)(nil)
	_ embedding.Store   = (*vectors.Store)(nil)
	_ queue.Queue       = (*vectors.Store)(nil)
	_ queue.Queue       = (*sqlite.Queue)(nil)
	_ queue.Jobs        = (*sqlite.Jobs)(nil)
	_ run.Journal       = (*sqlite.Journal)(nil)
	_ run.Tapes         = (*proof.Store)(nil)
	_ event.Log         = (*sqlite.Events)(nil)
	_ ledger.Log        = (*sqlite.Ledger)(nil)
	_ eval.Results      = (*sqlite.Results)(nil)
	_ ledger.Trees      = (*proof.Store)(nil)
	_ desk.Drafts       = (*sqlite.Drafts)(nil)
	_ desk.Feedback     = (*sqlite.Feedback)(nil)
	_ idempotency.Store = (*sqlite.Requests)(nil)
)
