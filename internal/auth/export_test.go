package auth

import "context"

// Work is how many password hashes the gate has computed.
func (g *Gate) Work() int64 { return g.hasher.work.Load() }

// Check compares a password with a stored hash.
func (g *Gate) Check(ctx context.Context, stored, password string) (bool, error) {
	return g.hasher.check(ctx, stored, password)
}

// Keys is how many keys the limiter remembers, and Bound how many it may.
func (l *Limiter) Keys() int { return len(l.full) }

// Bound sets how many keys the limiter may remember.
func (l *Limiter) Bound(most int) { l.most = most }

// Network names where a request came from.
func Network(remote string) string { return network(remote) }

// LocalPath is where a browser goes after signing in.
func LocalPath(asked string) string { return localPath(asked) }

// DisplayName makes a name fit to be shown.
func DisplayName(name string) string { return displayName(name) }
