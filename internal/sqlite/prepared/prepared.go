// Package prepared keeps prepared statements with the connection that prepared them, since to prepare one costs
// more than to run it.
//
// A connection here is one of the driver's with a bounded store of statements beside it, the one used longest ago
// leaving first. SQLite itself prepares a kept statement anew when the schema has changed under it. A statement whose
// rows are still open is not used a second time, and one that failed is not kept. What only reads and writes rows is
// kept; a PRAGMA may have its effect when it is prepared, and a change of the schema happens once.
package prepared

import (
	"container/list"
	"context"
	"database/sql/driver"
	"errors"
	"strings"
)

// Inner is what a connection of the driver offers beside driver.Conn.
type Inner interface {
	driver.Conn
	driver.ConnBeginTx
	driver.ConnPrepareContext
	driver.ExecerContext
	driver.QueryerContext
	driver.Pinger
	driver.SessionResetter
	driver.Validator
}

// Connector makes connections that keep their statements.
type Connector struct {
	driver.Connector
	// Most is how many statements a connection keeps.
	Most int
}

// Connect implements driver.Connector.
func (c Connector) Connect(ctx context.Context) (driver.Conn, error) {
	made, err := c.Connector.Connect(ctx)
	if err != nil {
		return nil, err
	}
	inner, ok := made.(Inner)
	if !ok {
		return nil, errors.Join(errors.New("the driver's connections are of another form"), made.Close())
	}
	return &conn{Inner: inner, most: c.Most, kept: map[string]*list.Element{}, order: list.New()}, nil
}

// conn is a connection. database/sql never calls two of its methods, or those of its statements and rows, at once.
type conn struct {
	Inner
	most  int
	kept  map[string]*list.Element // by query; values are *statement
	order *list.List               // the one used last is in front
}

// statement is one that is kept.
type statement struct {
	text string
	stmt driver.Stmt
	busy bool // its rows are open
}

func of(at *list.Element) *statement { return at.Value.(*statement) }

func (s *statement) exec(ctx context.Context, args []driver.NamedValue) (driver.Result, error) {
	return s.stmt.(driver.StmtExecContext).ExecContext(ctx, args)
}

func (s *statement) query(ctx context.Context, args []driver.NamedValue) (driver.Rows, error) {
	return s.stmt.(driver.StmtQueryContext).QueryContext(ctx, args)
}

// Close implements driver.Conn.
func (c *conn) Close() error {
	for c.order.Len() > 0 {
		c.drop(c.order.Front())
	}
	return c.Inner.Close()
}

// ExecContext implements driver.ExecerContext.
func (c *conn) ExecContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Result, error) {
	at, err := c.take(ctx, query)
	switch {
	case err != nil:
		return nil, err
	case at == nil:
		return c.Inner.ExecContext(ctx, query, args)
	}
	result, err := of(at).exec(ctx, args)
	if err != nil {
		c.drop(at)
	}
	return result, err
}

// QueryContext implements driver.QueryerContext.
func (c *conn) QueryContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Rows, error) {
	at, err := c.take(ctx, query)
	switch {
	case err != nil:
		return nil, err
	case at == nil:
		return c.Inner.QueryContext(ctx, query, args)
	}
	found, err := of(at).query(ctx, args)
	if err != nil {
		c.drop(at)
		return nil, err
	}
	of(at).busy = true
	return &rows{Rows: found, conn: c, at: at}, nil
}

// take returns the statement of a query, prepared now or before; nil where it is not for keeping.
func (c *conn) take(ctx context.Context, query string) (*list.Element, error) {
	if at := c.kept[query]; at != nil {
		if of(at).busy {
			return nil, nil
		}
		c.order.MoveToFront(at)
		return at, nil
	}
	if !keepable(query) {
		return nil, nil
	}
	s, err := c.PrepareContext(ctx, query)
	if err != nil {
		return nil, err
	}
	for at := c.order.Back(); c.order.Len() >= c.most && at != nil; {
		older := at.Prev()
		if !of(at).busy {
			c.drop(at)
		}
		at = older
	}
	at := c.order.PushFront(&statement{text: query, stmt: s})
	c.kept[query] = at
	return at, nil
}

// drop closes a statement and keeps it no longer.
func (c *conn) drop(at *list.Element) {
	s := of(at)
	s.busy = false
	delete(c.kept, s.text)
	c.order.Remove(at)
	_ = s.stmt.Close() // it repeats the error of its last use
}

// keepable reports whether a query only reads or writes rows, by its first word.
func keepable(query string) bool {
	const blank = " \t\r\n"
	query = strings.TrimLeft(query, blank)
	if end := strings.IndexAny(query, blank); end > 0 {
		query = query[:end]
	}
	switch strings.ToUpper(query) {
	case "SELECT", "INSERT", "UPDATE", "DELETE", "WITH":
		return true
	}
	return false
}

// rows are those of a kept statement.
type rows struct {
	driver.Rows
	conn   *conn
	at     *list.Element
	closed bool
}

// Close implements driver.Rows. It does nothing where the connection was closed first, with all its statements.
func (r *rows) Close() error {
	s := of(r.at)
	if r.closed || !s.busy {
		return nil
	}
	r.closed, s.busy = true, false
	err := r.Rows.Close()
	if err != nil {
		r.conn.drop(r.at)
	}
	return err
}
