package httpapi

import (
	"github.com/kaoju/kaoju/internal/agent"
	"github.com/kaoju/kaoju/internal/desk"
	"github.com/kaoju/kaoju/internal/ingest"
	"github.com/kaoju/kaoju/internal/retrieval"
)

// What the command wires in fits.
var (
	_ Runner        = (*agent.Agent)(nil)
	_ Intake        = (*ingest.Intake)(nil)
	_ desk.Searcher = (*retrieval.Searcher)(nil)
)
