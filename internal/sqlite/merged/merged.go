// Package merged keeps merged segments beside the segments that they were made of, inside
// transactions of the driver that it is part of.
//
// Nothing depends on a merged segment, and none outlives what it was made of: triggers of the
// schema remove it in the transaction that removes or replaces the segment of any of its versions.
// It is written a piece at a time, so that no other writer waits long.
package merged

import (
	"context"
	"database/sql"
	"encoding/json"

	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/problem"
	"github.com/kaoju/kaoju/internal/retrieval"
	"github.com/kaoju/kaoju/internal/sqlite/database"
	"github.com/kaoju/kaoju/internal/sqlite/row"
)

// Store implements retrieval.Merged.
type Store struct {
	Read, Write database.Run
	// Piece is how many bytes are written in one transaction; 0 means 4 MiB.
	Piece int
}

// Merged implements retrieval.Merged.
func (s *Store) Merged(ctx context.Context, tenant access.TenantID) (out []retrieval.Kept, cuts int64, err error) {
	err = s.Read(ctx, func(ctx context.Context, t *database.Tx) error {
		// A tenant that is not there has nothing.
		if err := t.QueryRowContext(ctx, `SELECT coalesce(max(cuts), 0) FROM tenants WHERE id = ?`, tenant).Scan(&cuts); err != nil {
			return err
		}
		rows, err := t.QueryContext(ctx, `SELECT number, size FROM merged WHERE tenant = ? AND whole ORDER BY number`, tenant)
		out, err = row.Collect(rows, err, func(r row.Scanner) (k retrieval.Kept, err error) {
			size := 0
			err = r.Scan(&k.Number, &size)
			k.Bytes = make([]byte, 0, max(0, size))
			return k, err
		})
		for i := 0; err == nil && i < len(out); i++ {
			out[i].Bytes, err = pieces(ctx, t, out[i])
		}
		return err
	})
	if err != nil {
		return nil, 0, err
	}
	return out, cuts, nil
}

// pieces reads the bytes of a merged segment.
func pieces(ctx context.Context, t *database.Tx, k retrieval.Kept) ([]byte, error) {
	rows, err := t.QueryContext(ctx, `SELECT bytes FROM merged_pieces WHERE merged = ? ORDER BY no`, k.Number)
	if err != nil {
		return nil, err
	}
	defer rows.Close() //nolint:errcheck // Err below has what went wrong
	for rows.Next() {
		var piece sql.RawBytes // which is copied once, not twice
		if err := rows.Scan(&piece); err != nil {
			return nil, err
		}
		k.Bytes = append(k.Bytes, piece...)
	}
	return k.Bytes, rows.Err()
}

// Numbers implements retrieval.Merged.
func (s *Store) Numbers(ctx context.Context, tenant access.TenantID) (out []int64, err error) {
	err = s.Read(ctx, func(ctx context.Context, t *database.Tx) error {
		rows, err := t.QueryContext(ctx, `SELECT number FROM merged WHERE tenant = ? AND whole ORDER BY number`, tenant)
		out, err = row.Collect(rows, err, func(r row.Scanner) (n int64, err error) {
			err = r.Scan(&n)
			return n, err
		})
		return err
	})
	return out, err
}

// Keep implements retrieval.Merged. What is not whole yet goes as what is whole does, so that the
// next piece finds nothing to belong to.
func (s *Store) Keep(ctx context.Context, tenant access.TenantID, cuts int64, m retrieval.Joined) (number int64, err error) {
	bytes := m.Bytes
	names, err := json.Marshal(m.Versions)
	if err != nil {
		return 0, err
	}
	err = s.Write(ctx, func(ctx context.Context, t *database.Tx) error {
		err := t.QueryRowContext(ctx, `INSERT INTO merged (tenant, size) VALUES (?, ?) RETURNING number`, tenant, len(bytes)).Scan(&number)
		if err != nil {
			return err
		}
		r, err := t.ExecContext(ctx, `INSERT INTO merged_versions (document, merged) SELECT segments.document, ?1 FROM json_each(?3)
JOIN documents ON documents.tenant = ?2 AND documents.id = value AND documents.cut <= ?4 JOIN segments ON segments.document = documents.row`, number, tenant, string(names), cuts)
		if err != nil {
			return err
		}
		if n, err := r.RowsAffected(); err != nil || int(n) != len(m.Versions) {
			return stale(err)
		}
		return nil
	})
	size := s.Piece
	if size <= 0 {
		size = 4 << 20
	}
	for no := 0; err == nil && no*size < len(bytes); no++ {
		piece := bytes[no*size : min(len(bytes), (no+1)*size)]
		err = s.settled(ctx, `INSERT INTO merged_pieces (merged, no, bytes) SELECT number, ?, ? FROM merged WHERE number = ?`, no, piece, number)
	}
	if err == nil {
		err = s.settled(ctx, `UPDATE merged SET whole = 1 WHERE number = ?`, number)
	}
	if err != nil {
		return 0, err
	}
	return number, nil
}

// settled runs a statement for a merged segment that is still there.
func (s *Store) settled(ctx context.Context, statement string, args ...any) error {
	return s.Write(ctx, func(ctx context.Context, t *database.Tx) error {
		ok, err := row.Changed(t.ExecContext(ctx, statement, args...))
		if err == nil && !ok {
			return stale(nil)
		}
		return err
	})
}

func stale(err error) error {
	if err != nil {
		return err
	}
	return problem.New(problem.Conflict, "merged_stale", "A version of the merged segment is gone, or has another segment.")
}

// Retain implements retrieval.Merged.
func (s *Store) Retain(ctx context.Context, tenant access.TenantID, numbers []int64) error {
	if numbers == nil {
		numbers = []int64{}
	}
	names, err := json.Marshal(numbers)
	if err != nil {
		return err
	}
	return s.Write(ctx, func(ctx context.Context, t *database.Tx) error {
		_, err := t.ExecContext(ctx, `DELETE FROM merged WHERE tenant = ? AND number NOT IN (SELECT value FROM json_each(?))`, tenant, string(names))
		return err
	})
}
