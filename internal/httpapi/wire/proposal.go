package wire

import (
	"github.com/kaoju/kaoju/api"
	"github.com/kaoju/kaoju/internal/desk"
)

// Proposal is what waits for a decision, or was decided.
func Proposal(p desk.Proposal) api.Proposal {
	out := api.Proposal{
		ProposalID: string(p.ID), ApprovalID: string(p.ID), Kind: string(p.Kind), RunID: p.Run, DocumentID: p.Document,
		Status: string(p.Status), CreatedAt: p.CreatedAt.UTC(), ExpiresAt: p.ExpiresAt.UTC(), Withheld: p.Withheld,
	}
	if d := p.Decision; d != nil {
		at, approved := d.At.UTC(), d.Approved
		out.DecidedAt, out.Approved = &at, &approved
	}
	if p.Task != nil {
		task := TaskRef(*p.Task, p.Proposal)
		out.Task = &task
	}
	if p.Withheld {
		return out
	}
	out.KnowledgeBaseID, out.DocKey, out.Title, out.Version = string(p.KnowledgeBase), p.DocKey, p.Title, p.Version
	out.LockVersion = p.Proposal.LockVersion
	if p.Call != nil {
		out.Call = Call(p)
		return out
	}
	out.FromVersion = Optional(p.FromVersion)
	summary := Summary(p.Summary)
	out.Summary = &summary
	if p.Comparison != nil {
		diff := Diff(*p.Comparison)
		out.Difference = &diff
	}
	return out
}

// Summary is what a proposal to publish changes, in numbers.
func Summary(m desk.Summary) api.ProposalSummary {
	version := func(v desk.SummaryVersion) api.ProposalVersion {
		return api.ProposalVersion{DocumentID: string(v.DocumentID), Version: v.Version, Checksum: string(v.Checksum), Size: v.Size}
	}
	out := api.ProposalSummary{
		To: version(m.To), PolicyDiffers: m.PolicyDiffers,
		DiffCounts: api.DiffCounts{
			SectionsAdded: m.SectionsAdded, SectionsRemoved: m.SectionsRemoved, SectionsChanged: m.SectionsChanged, SectionsMoved: m.SectionsMoved,
			LinesAdded: m.LinesAdded, LinesRemoved: m.LinesRemoved, NumbersChanged: m.NumbersChanged,
		},
	}
	if m.From != nil {
		from := version(*m.From)
		out.From = &from
	}
	return out
}

// Decided is how a decision ended.
func Decided(p desk.Proposal) api.Decided {
	out := api.Decided{
		Status: string(p.Status), ProposalID: string(p.ID), ApprovalID: string(p.ID), RunID: p.Run, DocumentID: p.Document,
		Version: p.Version, LockVersion: p.LockVersion,
	}
	if p.Decision != nil {
		out.DecidedAt = p.Decision.At.UTC()
	}
	if p.Task != nil {
		ref := TaskRef(*p.Task, p.Proposal)
		out.Status, out.TaskID, out.ResultURI, out.Code = ref.Status, ref.TaskID, ref.ResultURI, ref.Code
	}
	return out
}
