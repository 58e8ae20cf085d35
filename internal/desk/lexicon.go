package desk

import (
	"context"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/lexicon"
)

// Lexicon is a tenant's list of words and synonyms, and how much its lines hold.
type Lexicon struct {
	lexicon.List
	lexicon.Count
}

// Lexicon returns the words and synonyms of the actor's tenant. It needs tenant_admin, as does
// SetLexicon.
func (d *Desk) Lexicon(ctx context.Context, actor access.Actor) (Lexicon, error) {
	if err := d.administers(ctx, actor); err != nil {
		return Lexicon{}, err
	}
	list, err := d.deps.Lexicons.List(ctx, actor.Tenant)
	if err != nil {
		return Lexicon{}, err
	}
	count, _, err := lexicon.Check(list.Lines)
	return Lexicon{list, count}, err
}

// SetLexicon replaces the whole list; a lock version of 0 replaces whatever is there. Synonyms hold
// from the next search on.
func (d *Desk) SetLexicon(ctx context.Context, actor access.Actor, lines []string, lock int) (Lexicon, error) {
	if err := d.administers(ctx, actor); err != nil {
		return Lexicon{}, err
	}
	count, words, err := lexicon.Check(lines)
	if err != nil {
		return Lexicon{}, err
	}
	list, err := d.deps.Lexicons.SetList(ctx, actor.Tenant, actor.User, lexicon.Change{Lines: lines, LockVersion: lock, Count: count, Words: words})
	return Lexicon{list, count}, err
}
