// Package requests remembers what clients asked for under a key of theirs, so that a request which is sent
// again is done once.
package requests

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"

	"github.com/kaoju/kaoju/internal/idempotency"
	"github.com/kaoju/kaoju/internal/problem"
	"github.com/kaoju/kaoju/internal/sqlite/database"
	"github.com/kaoju/kaoju/internal/sqlite/directory"
	"github.com/kaoju/kaoju/internal/sqlite/row"
)

// Store implements idempotency.Store.
//
// The receipt of a request is written by the transaction that does its work, through Made. After a
// crash the work is there with its receipt, or neither is.
type Store struct{ DB *database.DB }

// Claim implements idempotency.Store.
func (s *Store) Claim(ctx context.Context, key idempotency.Key, digest string) (c idempotency.Claim, done *idempotency.Receipt, err error) {
	c = idempotency.Claim{Key: key}
	if err := key.Valid(); err != nil {
		return c, nil, err
	}
	err = s.DB.Write(ctx, func(ctx context.Context, t *database.Tx) error {
		if _, err := directory.Identity(ctx, t, key.Tenant, key.Actor); err != nil {
			return err
		}
		if err := forgetRequests(ctx, t, key); err != nil {
			return err
		}
		had, err := requestOf(ctx, t, key)
		switch {
		case err != nil:
			return err
		case had.digest == "":
			c.Token, err = newRequest(ctx, t, key, digest)
			return err
		case had.digest != digest:
			return idempotency.Reused()
		case had.receipt != "":
			done = &idempotency.Receipt{}
			return readReceipt(had.receipt, done)
		case had.leaseUntil > t.Now().UnixMicro():
			return idempotency.UnderWay()
		}
		c.Token = had.token + 1
		return row.One(t.ExecContext(ctx, `UPDATE requests SET token = ?, lease_until = ? WHERE number = ?`,
			c.Token, t.Now().Add(idempotency.Lease).UnixMicro(), had.number))
	})
	if err != nil {
		return idempotency.Claim{}, nil, err
	}
	return c, done, nil
}

// request is a remembered request; its digest is empty where there is none.
type request struct {
	number, token, leaseUntil int64
	digest, receipt           string
}

const ofKey = `tenant = ? AND actor = ? AND operation = ? AND key = ? `

func requestOf(ctx context.Context, t *database.Tx, k idempotency.Key) (r request, err error) {
	err = t.QueryRowContext(ctx, `SELECT number, token, lease_until, digest, receipt FROM requests WHERE `+ofKey,
		k.Tenant, k.Actor, k.Operation, k.Hash()).Scan(&r.number, &r.token, &r.leaseUntil, &r.digest, &r.receipt)
	if errors.Is(err, sql.ErrNoRows) {
		err = nil
	}
	return r, err
}

// newRequest remembers a request that begins. Its token is above those of all before it, so that a
// key which was forgotten and used again fences off whoever worked on it then.
func newRequest(ctx context.Context, t *database.Tx, k idempotency.Key, digest string) (token int64, err error) {
	var under int
	err = t.QueryRowContext(ctx, `SELECT count(*) FROM requests WHERE tenant = ? AND actor = ?`, k.Tenant, k.Actor).Scan(&under)
	if err != nil {
		return 0, err
	}
	if under >= idempotency.Count {
		return 0, idempotency.TooMany()
	}
	token = t.Now().UnixMicro()
	_, err = t.ExecContext(ctx, `INSERT INTO requests (tenant, actor, operation, key, digest, token, lease_until, created_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
		k.Tenant, k.Actor, k.Operation, k.Hash(), digest, token, t.Now().Add(idempotency.Lease).UnixMicro(), t.Now().UnixMicro())
	return token, err
}

// forgetRequests drops what is old, and the oldest of an actor that leave no room for one more.
// What is under way stays: a second request with its key must find it.
func forgetRequests(ctx context.Context, t *database.Tx, k idempotency.Key) error {
	now := t.Now().UnixMicro()
	_, err := t.ExecContext(ctx, `DELETE FROM requests WHERE created_at <= ? AND (receipt <> '' OR lease_until <= ?)`,
		t.Now().Add(-idempotency.Life).UnixMicro(), now)
	if err != nil {
		return err
	}
	_, err = t.ExecContext(ctx, `DELETE FROM requests WHERE (receipt <> '' OR lease_until <= ?1) AND NOT (operation = ?4 AND key = ?5) AND number IN (
  SELECT number FROM requests WHERE tenant = ?2 AND actor = ?3 ORDER BY created_at DESC, number DESC LIMIT -1 OFFSET ?6)`,
		now, k.Tenant, k.Actor, k.Operation, k.Hash(), idempotency.Count-1)
	return err
}

func readReceipt(column string, r *idempotency.Receipt) error {
	if err := json.Unmarshal([]byte(column), r); err != nil {
		return problem.Wrap(err, problem.Internal, "record", "A stored receipt can't be read.")
	}
	return nil
}

// Settle implements idempotency.Store.
func (s *Store) Settle(ctx context.Context, c idempotency.Claim, r idempotency.Receipt) error {
	return s.DB.Write(ctx, func(ctx context.Context, t *database.Tx) error {
		had, err := requestOf(ctx, t, c.Key)
		if err != nil || had.token == c.Token && had.receipt != "" {
			return err // the transaction that did the work has written it
		}
		return settle(ctx, t, c, r)
	})
}

func settle(ctx context.Context, t *database.Tx, c idempotency.Claim, r idempotency.Receipt) error {
	k := c.Key
	err := row.One(t.ExecContext(ctx, `UPDATE requests SET receipt = ? WHERE `+ofKey+`AND token = ?`,
		row.Marshal(r), k.Tenant, k.Actor, k.Operation, k.Hash(), c.Token))
	if problem.Is(err, problem.NotFound) {
		return idempotency.Lost()
	}
	return err
}

// Release implements idempotency.Store.
func (s *Store) Release(ctx context.Context, c idempotency.Claim) error {
	return s.DB.Write(ctx, func(ctx context.Context, t *database.Tx) error {
		k := c.Key
		_, err := t.ExecContext(ctx, `DELETE FROM requests WHERE `+ofKey+`AND token = ? AND receipt = ''`,
			k.Tenant, k.Actor, k.Operation, k.Hash(), c.Token)
		return err
	})
}

// Made writes the receipt of the request in whose name a transaction works, if there is one. A
// request that lost its claim fails here, and with it all that it did.
func Made(ctx context.Context, t *database.Tx, r idempotency.Receipt) error {
	if c, ok := idempotency.From(ctx); ok {
		return settle(ctx, t, c, r)
	}
	return nil
}

// Abandon lets the next request with a key take the place of one whose process is gone.
func Abandon(ctx context.Context, db *database.DB) error {
	return db.Write(ctx, func(ctx context.Context, t *database.Tx) error {
		_, err := t.ExecContext(ctx, `UPDATE requests SET lease_until = 0 WHERE receipt = ''`)
		return err
	})
}
