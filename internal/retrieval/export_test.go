package retrieval

import (
	"context"
	"maps"
)

// KeepNow does once what Keep does whenever a snapshot was replaced.
func KeepNow(ctx context.Context, l *Local) error {
	l.Settle()
	l.mu.Lock()
	tenants := maps.Clone(l.tenants)
	l.mu.Unlock()
	for id, s := range tenants {
		if err := l.keep(ctx, id, s); err != nil {
			return err
		}
	}
	return nil
}
