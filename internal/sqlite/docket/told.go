package docket

import "github.com/kaoju/kaoju/internal/approval"

// Waiting is what a run tells while it waits for a decision on a tool of a name: metadata that is no
// text of the document, and no arguments, which are their writer's.
func Waiting(p approval.Proposal, name string) map[string]any {
	target := map[string]any{"document_id": p.Document, "from_version": p.FromVersion, "to_version": p.Version}
	told := map[string]any{
		"approval_id": p.ID, "kind": p.Kind, "tool": name, "target": target,
		"summary": p.Summary, "expires_at": p.ExpiresAt, "url": "/approvals/" + string(p.ID),
	}
	if c := p.Call; c != nil {
		delete(target, "from_version")
		delete(target, "to_version")
		target["version"], target["knowledge_base_id"] = p.Version, p.KnowledgeBase
		told["sensitivity"], told["args_hash"] = c.Sensitivity, c.ArgsHash()
	}
	return told
}

// Body is what the ledger keeps of a proposal: ids, numbers and hashes, no key and no text. The
// summary that the person was shown is kept by its hash.
func Body(p approval.Proposal) map[string]any {
	body := map[string]any{
		"proposal": p.ID, "kind": p.Kind, "document": p.Document, "knowledge_base": p.KnowledgeBase, "version": p.Version,
		"from_version": p.FromVersion, "lock_version": p.LockVersion, "key_state": p.KeyState, "status": p.Status,
		"summary_hash": p.Seal.Hash(nameSummary, string(p.Summary)),
	}
	if d := p.Decision; d != nil {
		body["approved"], body["request"], body["decided_at"] = d.Approved, d.Request, d.At
	}
	if c := p.Call; c != nil {
		body["tool"], body["sensitivity"], body["args_hash"], body["spec_hash"] = c.Tool, c.Sensitivity, c.ArgsHash(), c.SpecHash
		body["evidence_run"], body["automatic"] = c.Evidence, c.Automatic
	}
	return body
}

// TaskBody is what the ledger keeps of a task that ended: nothing of the arguments or of the answer
// but their hashes.
func TaskBody(k approval.Task) map[string]any {
	p := k.Proposal
	return map[string]any{
		"task": k.ID, "proposal": p.ID, "tool": p.Call.Tool, "sensitivity": p.Call.Sensitivity, "args_hash": p.Call.ArgsHash(), "evidence_run": p.Call.Evidence,
		"document": p.Document, "knowledge_base": p.KnowledgeBase, "version": p.Version, "status": k.Status, "code": k.Code, "answer_hash": p.Seal.Hash(nameAnswer, string(k.Result)),
	}
}
