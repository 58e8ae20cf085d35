package retrieval

import (
	"context"
	"maps"
	"slices"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/corpus"
	"github.com/kaoju/kaoju/internal/index"
	"github.com/kaoju/kaoju/internal/problem"
)

// stock is a part of a tenant's set that is kept in the store, with its number there.
type stock struct {
	part   index.Part
	number int64
}

// load makes the first snapshot of a tenant: of what is kept merged, and of the segments of all other
// versions. The caller holds the gate.
func (l *Local) load(ctx context.Context, tenant access.TenantID, s *shelf) (*snapshot, error) {
	kept, cuts := l.restore(ctx, tenant)
	old := restored(kept, cuts)
	img, err := l.store.Image(ctx, tenant, State{}, old.has)
	if err == nil && !match(img, kept, cuts) {
		l.log().Warn("merged segments do not fit their versions and are made anew", "tenant", tenant)
		kept = nil
		old = restored(nil, 0)
		img, err = l.store.Image(ctx, tenant, State{}, old.has)
	}
	if err != nil {
		return nil, err
	}
	s.kept = kept
	return old.follow(img)
}

// restore opens what is kept of a tenant, as of a number of cuts. Where two hold the same version, as after a process that
// ended between two writes, the later one counts. What can't be read is left out, and said: its
// versions have their own segments.
func (l *Local) restore(ctx context.Context, tenant access.TenantID) ([]stock, int64) {
	if l.Merged == nil {
		return nil, 0
	}
	list, cuts, err := l.Merged.Merged(ctx, tenant)
	if err != nil {
		if ctx.Err() == nil {
			l.log().Warn("merged segments can't be read and are made anew", "tenant", tenant, "error", err)
		}
		return nil, 0
	}
	slices.SortFunc(list, func(a, b Kept) int { return int(b.Number - a.Number) })
	var out []stock
	held := map[corpus.DocumentID]bool{}
	for _, k := range list {
		p, err := index.OpenPart(k.Bytes)
		if err != nil {
			l.log().Warn("a merged segment is made anew", "tenant", tenant, "error", err)
			continue
		}
		ids := p.Documents()
		if slices.ContainsFunc(ids, func(id corpus.DocumentID) bool { return held[id] }) {
			continue
		}
		for _, id := range ids {
			held[id] = true
		}
		out = append(out, stock{p, k.Number})
	}
	return out, cuts
}

// restored is the snapshot of what was kept at a number of cuts, before anything is known of the versions in it.
func restored(kept []stock, cuts int64) *snapshot {
	parts := make([]index.Part, len(kept))
	docs := map[corpus.DocumentID]access.Resource{}
	for i, k := range kept {
		parts[i] = k.part
		for _, id := range k.part.Documents() {
			docs[id] = access.Resource{}
		}
	}
	return newSnapshot(State{Cuts: cuts}, index.Restore(parts), docs)
}

// match reports whether what was kept at a number of cuts says of the versions of an image what the image says of
// them. Those that were cut since have segments of their own in the image.
func match(img Image, kept []stock, cuts int64) bool {
	at := make(map[corpus.DocumentID]int, len(img.Documents))
	for i, d := range img.Documents {
		at[d.Document] = i
	}
	fits := true
	for _, k := range kept {
		k.part.Each(func(id corpus.DocumentID, key string, chunks int) {
			if i, ok := at[id]; ok {
				d := img.Documents[i]
				fits = fits && (d.Cut > cuts || d.Resource.DocKey == key && d.Chunks == chunks)
			}
		})
	}
	return fits
}

// Keep stores the merged segments of the tenants that are loaded, as they change, until the context
// ends. Before, it loads those of the given tenants of which something is kept, so that the first
// question need not wait for that. It is for the one server on a store, which sets Merged.
func (l *Local) Keep(ctx context.Context, tenants []access.TenantID) {
	for _, t := range tenants[:min(len(tenants), maxTenants)] {
		if err := l.warm(ctx, t); err != nil && ctx.Err() == nil {
			l.log().Warn("a tenant could not be loaded before its first question", "tenant", t, "error", err)
		}
	}
	for {
		select {
		case <-ctx.Done():
			return
		case <-l.moved:
		}
		l.mu.Lock()
		tenants := maps.Clone(l.tenants)
		l.mu.Unlock()
		for id, s := range tenants {
			if err := l.keep(ctx, id, s); err != nil && ctx.Err() == nil {
				l.log().Error("merged segments can't be kept", "tenant", id, "error", err)
			}
		}
	}
}

// warm loads a tenant of which something is kept.
func (l *Local) warm(ctx context.Context, tenant access.TenantID) error {
	kept, err := l.Merged.Numbers(ctx, tenant)
	if err != nil || len(kept) == 0 {
		return err
	}
	state, err := l.store.State(ctx, tenant)
	if err == nil {
		_, err = l.at(ctx, tenant, state)
	}
	return err
}

// move says that a snapshot was replaced.
func (l *Local) move() {
	select {
	case l.moved <- struct{}{}:
	default: // it is known already
	}
}

// keep stores the large parts of a tenant that are not kept, once no merge is under way, and removes
// what is kept of others. A part with former chunks of versions that were cut anew is not kept: it goes as one that lost
// most of what it held, or is made anew by the next server, and writing it after each cut would cost more than that.
func (l *Local) keep(ctx context.Context, tenant access.TenantID, s *shelf) error {
	s.gate <- struct{}{}
	snap, kept, busy, swept := s.now.Load(), s.kept, s.merging != nil, s.swept
	<-s.gate
	if snap == nil || busy {
		return nil
	}
	parts := snap.set.Parts()
	if len(parts)+len(kept) == 0 {
		return nil
	}
	stored, err := l.Merged.Numbers(ctx, tenant)
	if err != nil {
		return err
	}
	var now []stock
	same := swept && len(parts) == len(stored)
	for _, p := range parts {
		at := slices.IndexFunc(kept, func(k stock) bool { return k.part.Is(p) && slices.Contains(stored, k.number) })
		if at >= 0 {
			now = append(now, kept[at])
			continue
		}
		same = false
		if p.Outlived(func(id corpus.DocumentID) bool { _, ok := snap.docs[id]; return ok }) {
			continue // what it holds of a version is not what there is now, and nothing would tell from the bytes
		}
		number, err := l.Merged.Keep(ctx, tenant, snap.state.Cuts, Joined{Versions: p.Documents(), Bytes: p.Encode()})
		if problem.CodeOf(err) == "merged_stale" {
			l.cleanse(s, p)
			continue
		}
		if err != nil {
			return err
		}
		now = append(now, stock{p, number})
	}
	s.gate <- struct{}{}
	s.kept, s.swept = now, true
	<-s.gate
	if same {
		return nil
	}
	var numbers []int64
	for _, k := range now {
		numbers = append(numbers, k.number)
	}
	return l.Merged.Retain(ctx, tenant, numbers)
}

// cleanse begins a merge that rids a part of versions that are gone. Where the snapshot does not know
// yet that they are, the next one does.
func (l *Local) cleanse(s *shelf, p index.Part) {
	s.gate <- struct{}{}
	defer func() { <-s.gate }()
	l.merge(s, s.now.Load().set.Cleanse(p))
}
