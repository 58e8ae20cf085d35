package vector

import (
	"cmp"
	"os"
	"runtime"
	"slices"
	"sync"

	"github.com/kaoju/kaoju/internal/problem"
)

// Chest keeps the full vectors of segments on disk, so that only their signs are in memory. It is a
// file without a name, which is gone with the process whatever becomes of it. What a segment had in it is
// overwritten once no set and no search holds the segment, and used again. A nil Chest keeps
// everything in memory. It is safe for concurrent use.
type Chest struct {
	file *os.File

	mu   sync.Mutex
	end  int64
	free []span // by place; no two touch
}

// span is a stretch of the file.
type span struct{ at, size int64 }

// NewChest makes an empty chest in a folder. It is nil where a file can't be without a name: there
// vectors stay in memory.
func NewChest(folder string) (*Chest, error) {
	file, err := os.CreateTemp(folder, "vectors-*")
	if err != nil {
		return nil, problem.Wrap(err, problem.Unavailable, "vector_file", "The file for vectors can't be made.")
	}
	if os.Remove(file.Name()) == nil {
		return &Chest{file: file}, nil
	}
	_ = file.Close()
	_ = os.Remove(file.Name()) // an empty file, which does no harm if it stays
	return nil, nil
}

// Keep returns the segment with its full vectors in the chest.
func (c *Chest) Keep(s *Segment) (*Segment, error) {
	size := int64(len(s.rows.held))
	if c == nil || size == 0 {
		return s, nil
	}
	place := c.reserve(size)
	if _, err := c.file.WriteAt(s.rows.held, place.at); err != nil {
		c.release(place)
		return nil, problem.Wrap(err, problem.Unavailable, "vector_file", "The file for vectors can't be written.")
	}
	out := *s
	out.rows = rows{size: s.rows.size, chest: c, at: place.at}
	runtime.AddCleanup(&out, c.clear, place)
	return &out, nil
}

func (c *Chest) read(to []byte, at int64) error {
	if _, err := c.file.ReadAt(to, at); err != nil {
		return problem.Wrap(err, problem.Unavailable, "vector_file", "The file for vectors can't be read.")
	}
	return nil
}

var zeros [1 << 14]byte

// clear overwrites what nobody can read any more. Where that fails the place is not used again.
func (c *Chest) clear(place span) {
	for done := int64(0); done < place.size; done += int64(len(zeros)) {
		n := min(int64(len(zeros)), place.size-done)
		if _, err := c.file.WriteAt(zeros[:n], place.at+done); err != nil {
			return
		}
	}
	c.release(place)
}

// reserve takes the first free stretch that is large enough, or one at the end.
func (c *Chest) reserve(size int64) span {
	c.mu.Lock()
	defer c.mu.Unlock()
	for i, f := range c.free {
		if f.size < size {
			continue
		}
		if c.free[i] = (span{f.at + size, f.size - size}); f.size == size {
			c.free = slices.Delete(c.free, i, i+1)
		}
		return span{f.at, size}
	}
	c.end += size
	return span{c.end - size, size}
}

// release makes a stretch free, as one with those that it touches.
func (c *Chest) release(place span) {
	c.mu.Lock()
	defer c.mu.Unlock()
	i, _ := slices.BinarySearchFunc(c.free, place, func(a, b span) int { return cmp.Compare(a.at, b.at) })
	c.free = slices.Insert(c.free, i, place)
	for _, k := range []int{i + 1, i} {
		if k > 0 && k < len(c.free) && c.free[k-1].at+c.free[k-1].size == c.free[k].at {
			c.free[k-1].size += c.free[k].size
			c.free = slices.Delete(c.free, k, k+1)
		}
	}
}
