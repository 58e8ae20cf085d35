package watch

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/fsnotify/fsnotify"
)

// Folders is a Bell over the folders of a file system, with all below them that are not hidden.
type Folders struct {
	roots  []string
	except string
	notify *fsnotify.Watcher
	rings  chan struct{}
	done   chan struct{}
}

// Open listens to folders once they are renewed, but for one that is left out wherever it is met, "" for
// none. Close ends it.
func Open(roots []string, except string) (*Folders, error) {
	notify, err := fsnotify.NewWatcher()
	if err != nil {
		return nil, err
	}
	f := &Folders{roots: roots, except: except, notify: notify, rings: make(chan struct{}, 1), done: make(chan struct{})}
	go f.listen()
	return f, nil
}

// Close implements io.Closer.
func (f *Folders) Close() error {
	err := f.notify.Close()
	<-f.done
	return err
}

// Rings implements Bell.
func (f *Folders) Rings() <-chan struct{} { return f.rings }

// Renew implements Bell. A folder that is not there is no error: the look says so. Folders that went are
// forgotten by the system itself.
func (f *Folders) Renew(ctx context.Context) error {
	var failed error
	left, _ := os.Stat(f.except) // One that is not there is met nowhere.
	for _, root := range f.roots {
		if real, err := filepath.EvalSymlinks(root); err == nil {
			root = real // The folder that was named may be a link.
		}
		err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
			switch {
			case ctx.Err() != nil:
				return ctx.Err()
			case err != nil:
				return nil //nolint:nilerr // It is gone, or can't be read: the look names it.
			case !entry.IsDir():
				return nil
			case strings.HasPrefix(entry.Name(), ".") && path != root:
				return filepath.SkipDir
			}
			if info, err := entry.Info(); left != nil && err == nil && os.SameFile(info, left) {
				return filepath.SkipDir
			}
			if err := f.notify.Add(path); err != nil && !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, fs.ErrPermission) {
				failed = err
				return filepath.SkipAll // There are more folders than the system listens to.
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return failed
}

// listen rings for what the system tells. What it could not tell, because there was too much at once, is
// a change too. Attributes alone are none.
func (f *Folders) listen() {
	defer close(f.done)
	for {
		select {
		case e, ok := <-f.notify.Events:
			if !ok {
				return
			}
			if e.Op != fsnotify.Chmod && !strings.HasPrefix(filepath.Base(e.Name), ".") {
				f.ring()
			}
		case _, ok := <-f.notify.Errors:
			if !ok {
				return
			}
			f.ring()
		}
	}
}

func (f *Folders) ring() {
	select {
	case f.rings <- struct{}{}:
	default: // It has rung and nobody has come yet.
	}
}
