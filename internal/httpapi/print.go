package httpapi

import (
	"github.com/kaoju/kaoju/api"
	"github.com/kaoju/kaoju/internal/desk"
	"github.com/kaoju/kaoju/internal/event"
	"github.com/kaoju/kaoju/internal/retrieval"
)

// The command line prints what the REST door answers. These are the same conversions.

// Answer is the wire form of what a run came to.
func Answer(a desk.Account) api.Answer { return wireAnswer(a) }

// Run is the wire form of a run.
func Run(a desk.Account) api.Run { return wireRun(a) }

// Base is the wire form of a knowledge base.
func Base(b desk.Base) api.KnowledgeBase { return wireBase(b) }

// Hits is the wire form of the hits of a search.
func Hits(r retrieval.Result) []api.Hit { return each(r.Hits, wireHit) }

// Event is the wire form of an event of a run.
func Event(e event.Event) api.Event { return wireEvent(e) }
