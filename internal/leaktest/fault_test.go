package leaktest

// edit replaces a piece of a file of the module by another.
type edit struct{ file, old, new string }

// fault is one mistake that this product could hold, and the nets beside the leak test that are
// meant for it.
type fault struct {
	name  string
	edits []edit
	nets  []string // packages
}

const (
	scopeFile    = "internal/access/scope.go"
	snapshotFile = "internal/retrieval/snapshot.go"
	semanticFile = "internal/retrieval/semantic.go"
	searchFile   = "internal/index/search.go"
	scanFile     = "internal/index/scan.go"
	gatherFile   = "internal/index/gather.go"
	approvalFile = "internal/sqlite/approvals/book.go"
	forgetSkip   = "if f.visible[p] == 0 {\n\t\t\tcontinue"
	noSkip       = "if f.visible[p] < 0 {\n\t\t\tcontinue"
)

var faults = []fault{
	{name: "no policy is asked", edits: []edit{{scopeFile, "if level < Reader || !s.passes(r.Policy) {", "if level < Reader {"}}},
	{name: "deny is ignored", edits: []edit{{scopeFile, "if s.principals[d] {\n\t\t\treturn false", "if false {\n\t\t\treturn s.principals[d]"}}},
	{name: "an empty scope is all", edits: []edit{{scopeFile, "if level < Reader ||", "if level < Reader && len(s.levels) > 0 ||"}}},
	{name: "tenant is not compared", nets: []string{"internal/access"}, edits: []edit{
		{scopeFile, "r.Tenant != s.tenant || ", ""},
		{scopeFile, "if kb.Tenant != actor.Tenant || req.Bases", "if req.Bases"},
	}},
	{name: "archived versions are searched", edits: []edit{
		{scopeFile, "case s.view == Published:\n\t\treturn false", "case s.view == Published:\n\t\treturn status == StatusArchived"},
	}},
	{name: "drafts are for readers", edits: []edit{{scopeFile, "case status == StatusDraft:\n\t\treturn level >= Editor", "case status == StatusDraft:\n\t\treturn true"}}},
	{name: "suspension is ignored", edits: []edit{
		{scopeFile, "if snap.Identity.Suspended || snap", "if snap"},
		{"internal/auth/auth.go", "case id.Suspended || !t.ExpiresAt", "case !t.ExpiresAt"},
		{"internal/sqlite/signin/token.go", "err == nil && id.Suspended {", "err == nil && false {"},
	}},
	{name: "expiry of tokens is ignored", edits: []edit{{"internal/auth/auth.go", "now.Before(t.ExpiresAt):", "now.Before(t.ExpiresAt) && false:"}}},
	{name: "filters are kept without the scope", edits: []edit{
		{snapshotFile, "c.cached(scope.Digest())", `c.cached("")`}, {snapshotFile, "c.keep(scope.Digest(), f)", `c.keep("", f)`},
	}},
	{name: "vectors are compared whatever the scope admits", nets: []string{"internal/retrieval"}, edits: []edit{
		{semanticFile, "judged[at/64] >> (at % 64) & 1 << (i % 64)", "(judged[at/64]>>(at%64)&1 | 1) << (i % 64)"},
	}},
	{name: "filters of vectors outlive their epoch", nets: []string{"internal/retrieval"}, edits: []edit{
		{semanticFile, "c.held == nil || c.held.snap != snap", "c.held == nil"},
	}},
	{name: "questions of a local-only tenant go to a remote embedding model", nets: []string{"internal/retrieval"}, edits: []edit{
		{semanticFile, "case m.Remote() && scope.LocalOnly():", "case m.Remote() && !scope.Valid():"},
	}},
	{name: "pending versions are counted whoever may see them", nets: []string{"internal/retrieval"}, edits: []edit{
		{"internal/retrieval/local.go", "if snap.admits(scope, id) {", `if snap.state.Epoch > 0 && id != "" {`},
	}},
	{name: "how vectors are compared depends on what is hidden", nets: []string{"internal/index/vector"}, edits: []edit{
		{"internal/index/vector/set.go", "if f.n <= p.exactly {", "if len(f.set.entries) <= p.exactly/3 {"},
	}},
	{name: "filters outlive their epoch", edits: []edit{
		{"internal/retrieval/follow.go", "return newSnapshot(img.State, set, docs), nil", "next := newSnapshot(img.State, set, docs)\n\tnext.filters = s.filters\n\treturn next, nil"},
	}},
	{name: "frequencies count what is hidden", edits: []edit{
		{searchFile, forgetSkip, noSkip}, {searchFile, "df[t] += f.holders(p, at)", "df[t] += int(part.segment.dict[at].count)"},
		{searchFile, "df[t] += len(spot.seen.ord)", "df[t] += int(part.segment.dict[at].count)"},
	}},
	{name: "hits are filtered after the best were taken", nets: []string{"internal/index"}, edits: []edit{
		{searchFile, forgetSkip, noSkip}, {searchFile, "if f.visible[p] > 0 {", "{"}, {scanFile, "if f.any(p, low, high) {", "{"},
		{scanFile, "s.found[i] |= seen & held[i]", "s.found[i] |= seen&0 | held[i]"}, {gatherFile, "n += int(words[o>>6] >> (o & 63) & 1)", "n += 1 + 0*int(words[0])"},
		{gatherFile, "if f.any(p, from, last+1) {", "if from <= last+1 {"}, {searchFile, "df[t] += len(spot.seen.ord)", "df[t] += f.holders(p, at)"},
		{searchFile, "return top.matches()", "kept := top.list[:0]\n\tfor _, x := range top.list {\n\t\tif f.bits[x.part][x.ord>>6]>>(x.ord&63)&1 == 1 {\n\t\t\tkept = append(kept, x)\n\t\t}\n\t}\n\ttop.list = kept\n\treturn top.matches()"},
	}},
	{name: "a merge brings back what was removed", nets: []string{"internal/index", "internal/retrieval"}, edits: []edit{
		{"internal/index/compaction.go", "if present == nil || present.isDead(uint32(i)) {", "if present == nil && len(src.docs) == 0 {"},
	}},
	{name: "a roll forgets who is denied", nets: []string{"internal/access"}, edits: []edit{
		{"internal/access/roll.go", "r.deny[who].clear(passed)", "_ = who"},
	}},
	{name: "a run belongs to everybody", edits: []edit{
		{"internal/sqlite/journal/journal.go", "selectRun+`WHERE id = ? AND tenant = ? AND actor = ?`", "selectRun+`WHERE id = ? AND (tenant = ? OR actor = ? OR 1)`"},
	}},
	{name: "a replay is not judged again", edits: []edit{
		{"internal/desk/account.go", "return Source{Evidence: citation.Evidence{Ref: e.Ref}, Withheld: true}, nil", "return Source{Evidence: e}, nil"},
	}},
	{name: "prompts are shown whatever was lost", edits: []edit{
		{"internal/desk/why.go", "w.Account, w.Whole = account, whole && !lost", "w.Account, w.Whole = account, whole || !lost || true"},
	}},
	{name: "an auditor reads everybody's words", nets: []string{"internal/httpapi"}, edits: []edit{
		{"internal/desk/why.go", "if !w.Own && !(w.Whole && any) {", "if !w.Own && !(w.Whole && any) && false {"},
	}},
	{name: "recordings outlive what was erased", nets: []string{"internal/sqlite"}, edits: []edit{
		{"internal/sqlite/proof/tape.go", "UPDATE recordings SET record = '' WHERE run = ? AND record <> ''", "UPDATE recordings SET record = '' WHERE run = ? AND record = 'x'"},
	}},
	{name: "an entry's proof is anybody's", nets: []string{"internal/httpapi"}, edits: []edit{
		{"internal/desk/proof.go", "case e.Actor != name.Person:", "case e.Actor == \"\":"},
	}},
	{name: "a draft is not reduced", edits: []edit{{"internal/desk/draftview.go", "if len(lost) > 0 || erasedSince {", "if len(lost) > 1000 || erasedSince {"}}},
	{name: "a title that was given stays", nets: []string{"internal/httpapi"}, edits: []edit{{"internal/desk/draftview.go", "if v.Titled {", "if v.Titled && v.Title == \"\" {"}}},
	{name: "a draft is written over unseen", edits: []edit{
		{"internal/desk/draft.go", "if change.overwrites(view) && !change.DiscardWithheld {", "if change.overwrites(view) && change.Base < 0 {"},
	}},
	{name: "a draft belongs to everybody", nets: []string{"internal/sqlite"}, edits: []edit{
		{"internal/sqlite/journal/draft.go", "`WHERE id = ?1 AND tenant = ?2 AND actor = ?3 AND no =", "`WHERE id = ?1 AND (tenant = ?2 OR actor = ?3 OR 1) AND no ="},
	}},
	{name: "a receipt is given to everybody", nets: []string{"internal/sqlite"}, edits: []edit{
		{"internal/sqlite/requests/request.go", "const ofKey = `tenant = ? AND actor = ? AND operation", "const ofKey = `(tenant = ? OR actor = ? OR 1) AND operation"},
	}},
	{name: "feedback is not judged again", nets: []string{"internal/httpapi"}, edits: []edit{{"internal/desk/feedback.go", "if j.lost && (m.Note != \"\" || m.Sentence == \"\") || m.Hash", "if false && j.lost || m.Hash"}}},
	{name: "what was asked of tools outlives its document", nets: []string{"internal/sqlite"}, edits: []edit{
		{"internal/sqlite/catalog/erase.go", "docket.Blank(ctx, t, d.Tenant, string(d.ID), read)", `docket.Blank(ctx, t, d.Tenant, "", read)`},
	}},
	{name: "a task is for anybody", nets: []string{"internal/httpapi"}, edits: []edit{{"internal/action/propose.go", "s.Identity.Suspended || s.Identity.Service {\n\t\treturn \"\", err", "s.Identity.Suspended || s.Identity.Service {\n\t\treturn access.UserID(name), nil"}}},
	{name: "a page of one's own entries goes through everybody's", nets: []string{"internal/sqlite"}, edits: []edit{
		{"internal/sqlite/proof/trees.go", `if name.Person == "" {
		return o.Entries`, `if name.Person != "no" {
		return o.Entries`},
	}},
	{name: "an answer is not reduced", edits: []edit{{"internal/desk/account.go", "if len(lost) > 0 {", "if len(lost) > 1000 {"}}},
	{name: "memory belongs to the conversation alone", edits: []edit{
		{"internal/sqlite/conversation/conversation.go", "FROM memories WHERE tenant = ? AND actor = ? AND conversation = ?`,\n\t\to.Tenant, o.Actor", "FROM memories WHERE tenant = ? AND (actor = ? OR 1) AND conversation = ?`,\n\t\to.Tenant, o.Actor"},
	}},
	{name: "decisions ignore the lock version", edits: []edit{
		{approvalFile, "if v.LockVersion != p.LockVersion || state != p.KeyState || p.Call != nil", `if state == "" || p.Call != nil`},
	}},
	{name: "anybody decides", nets: []string{"internal/sqlite"}, edits: []edit{
		{"internal/sqlite/docket/proposal.go", "WHERE id = ? AND tenant = ? AND proposer = ?`", "WHERE id = ? AND (tenant = ? OR proposer = ? OR 1)`"},
	}},
	{name: "too late by the clock alone", edits: []edit{
		{approvalFile, "if p.Status != approval.Pending {", "if p.Due(t.Now()) {\n\t\treturn p, approval.TooLate()\n\t}\n\tif p.Status != approval.Pending {"},
		{"internal/sqlite/approvals/end.go", "for _, p := range due {", "for _, p := range due[:0] {"},
	}},
	{name: "a task belongs to everybody", nets: []string{"internal/httpapi"}, edits: []edit{
		{"internal/sqlite/docket/task.go", "(proposer = ?3 OR owner = ?3 AND ?3 <> '')`", "(proposer = ?3 OR owner = ?3 OR 1)`"},
		{"internal/desk/taskexport.go", "if k.Proposal.Proposer != actor.User || k.Status", "if k.Status"},
	}},
	{name: "the card of an export shows its title", edits: []edit{
		{"internal/desk/action.go", "&& p.Status != approval.Approved {", "&& p.Status == \"\" {"},
	}},
	{name: "an approved call is not checked again", nets: []string{"internal/sqlite"}, edits: []edit{
		{"internal/sqlite/approvals/task.go", "if code != \"\" {\n\t\t\tend", "if code == \"never\" {\n\t\t\tend"},
	}},
	{name: "a lost worker's call is a success", nets: []string{"internal/httpapi"}, edits: []edit{
		{"internal/action/carry.go", "return e.finish(ctx, k, approval.Result{Status: approval.Unknown, Code: outcomeUnknown})\n\t}\n\tactor", "return e.finish(ctx, k, approval.Result{Status: approval.Succeeded})\n\t}\n\tactor"},
	}},
	{name: "a claim needs no token", nets: []string{"internal/sqlite"}, edits: []edit{
		{"internal/sqlite/docket/task.go", "if k.Status.Final() || k.Token != token {", "if k.Status.Final() {"},
	}},
	{name: "deleted versions stay searchable", edits: []edit{
		{"internal/sqlite/image/image.go", "  status IN ('draft', 'published', 'archived') FROM", "  status <> 'reserved' FROM"},
		{"internal/sqlite/image/image.go", "tenant = ? AND status IN ('draft', 'published', 'archived')", "tenant = ? AND status <> 'reserved'"},
		{"internal/sqlite/image/image.go", "access.Status(r.word(status))", "living(r.word(status))"},
		{"internal/sqlite/image/image.go", "// version is a row.", "func living(s string) access.Status {\n\tif s == \"deleted\" {\n\t\treturn access.StatusPublished\n\t}\n\treturn access.Status(s)\n}\n\n// version is a row."},
		{"internal/sqlite/versions/document.go", "return d.Status != Deleted && d.Status != Erased && scope.Admits(d.Resource())",
			"r := d.Resource()\n\tif r.Status == Deleted {\n\t\tr.Status = access.StatusPublished\n\t}\n\treturn d.Status != Erased && scope.Admits(r)"},
	}},
	{name: "an index that follows misses a change", nets: []string{"internal/sqlite"}, edits: []edit{
		{"internal/sqlite/image/image.go", "moved > ?2", "moved > ?2 + 1"},
	}},
	{name: "an index that follows keeps former chunks", nets: []string{"internal/retrieval"}, edits: []edit{
		{"internal/retrieval/follow.go", "!s.has(d.Document, d.Cut)", "!s.has(d.Document, 0)"},
	}},
	{name: "an index that follows keeps what is gone", nets: []string{"internal/retrieval"}, edits: []edit{
		{"internal/retrieval/follow.go", "range img.Gone {", "range img.Gone[:0] {"},
	}},
	{name: "the ledger is exported without its tenant", edits: []edit{
		{"internal/sqlite/proof/log.go", "`WHERE tenant = ? AND sequence > ? ORDER BY sequence LIMIT ?`", "`WHERE (tenant = ? OR 1) AND sequence > ? ORDER BY sequence LIMIT ?`"},
	}},
	{name: "history needs no role", edits: []edit{{"internal/toolkit/history.go", "if !scope.Has(access.KnowledgeAdmin) {", "if false {"}}},
	{name: "prompts in the log", edits: []edit{
		{"internal/agent/turn.go", "hash := hashPrompt(r.Seal, request)", "hash := hashPrompt(r.Seal, request)\n\tw.agent.deps.Log.Debug(\"asking\", \"prompt\", mustJSON(request.Messages))"},
	}},
	{name: "titles in the ledger", edits: []edit{{"internal/sqlite/versions/document.go", `"document": d.ID, "knowledge_base"`, `"document": d.ID, "title": d.Title, "knowledge_base"`}}},
	{name: "403 for what exists", edits: []edit{
		{"internal/sqlite/versions/document.go", "if !Admits(scope, v.Document) {\n\t\treturn Row{}, problem.Missing()", "if !Admits(scope, v.Document) {\n\t\treturn Row{}, problem.New(problem.Denied, \"forbidden\", \"This is not for you.\")"},
	}},
	{name: "jobs belong to everybody", edits: []edit{
		{"internal/sqlite/intake/job.go", "WHERE id = ? AND tenant = ? AND owner = ?`", "WHERE id = ? AND (tenant = ? OR owner = ? OR 1)`"},
	}},
	{name: "reading by the tool is not judged again", nets: []string{"internal/toolkit"}, edits: []edit{
		{"internal/toolkit/read.go", `import (`, "import (\n\t\"github.com/kaoju/kaoju/internal/access/unscoped\""},
		{"internal/toolkit/read.go", "d, err := r.catalog.Document(ctx, scope, args.Document)", "scope = unscoped.Scope(call.Actor.Tenant)\n\t\td, err := r.catalog.Document(ctx, scope, args.Document)"},
	}},
	{name: "a revoked token goes on", edits: []edit{
		{"internal/sqlite/signin/token.go", "DELETE FROM tokens WHERE", "DELETE FROM tokens WHERE 0 AND"},
	}},
	{name: "what was revoked stays in the context", nets: []string{"internal/agent"}, edits: []edit{
		{"internal/agent/sight.go", "if v.whole() {", "if true {"},
	}},
	{name: "a resume opens new allowances", nets: []string{"internal/agent"}, edits: []edit{
		{"internal/agent/resume.go", "unfinished := len(s.planned)", "unfinished := len(s.planned)\n\tr.Use.ToolCalls = 0"},
	}},
	{name: "a dropped source comes back", nets: []string{"internal/agent"}, edits: []edit{
		{"internal/agent/sight.go", "hash, kept := hashes[e.Ref]", "hash, kept := e.Hash, true"},
		{"internal/agent/sight.go", "if kept == slices.Contains(c.Dropped, e.Ref) || kept && hash != e.Hash {", "if hash != e.Hash {"},
		{"internal/agent/sight.go", "if len(s.evidence) != len(c.Kept) || ", "if "},
	}},
	{name: "a worker that lost its lease commits", nets: []string{"internal/sqlite"}, edits: []edit{
		{"internal/sqlite/journal/journal.go", "(!j.leased || j.token != l.Token)", "!j.leased"},
	}},
	{name: "an answer is stored under rights that are gone", nets: []string{"internal/agent"}, edits: []edit{
		{"internal/sqlite/journal/journal.go", "if c.Scope.Valid() {", "if false {"},
	}},
}
