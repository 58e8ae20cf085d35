package console

import (
	"context"
	"slices"

	"github.com/kaoju/kaoju/api"
	"github.com/kaoju/kaoju/cmd/kaoju/terminal"
	"github.com/kaoju/kaoju/cmd/kaoju/wiring"
	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/llm"
	"github.com/kaoju/kaoju/internal/problem"
)

// TellOfText says where the text of versions goes to be embedded, if it leaves this machine.
func (c *CLI) TellOfText(model llm.Info) {
	if model.Remote {
		c.Note("The text of the documents goes to %s, to be found by meaning.", terminal.Clean(model.Host))
	}
}

// TellOfTenants says where text of tenants goes from this process. Of a tenant that is local-only
// nothing goes anywhere, and of one that is not there neither.
func (c *CLI) TellOfTenants(ctx context.Context, s *wiring.Product, to terminal.Reach, tenants ...access.TenantID) error {
	slices.Sort(tenants)
	for _, id := range slices.Compact(tenants) {
		tenant, err := s.DB.Tenancy().Tenant(ctx, id)
		switch {
		case problem.Is(err, problem.NotFound), err == nil && tenant.LocalOnly:
			continue
		case err != nil:
			return err
		}
		c.tellWhere(to)
		return nil
	}
	return nil
}

// TellOfServer says where a server sends the text of whoever does something there: to those whom the given function
// leaves of all.
func (c *CLI) TellOfServer(ctx context.Context, client *api.Client, what func(terminal.Reach) terminal.Reach) error {
	system, err := client.System(ctx)
	c.tellWhere(what(terminal.ReachOf(system)))
	return err
}

// tellWhere says what leaves the machine that answers or searches.
func (c *CLI) tellWhere(to terminal.Reach) {
	for _, line := range to.Lines() {
		c.Note("%s", line)
	}
}
