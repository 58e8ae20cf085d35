package proof

import (
	"crypto/rand"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/kaoju/kaoju/internal/ledger"
	"github.com/kaoju/kaoju/internal/problem"
)

// KeyFile holds the key that signs checkpoints of the ledger, made when the folder is new. It is
// apart from the database: whoever can write rows can't sign what they make of them.
const KeyFile = "ledger.key"

// OpenKey reads the key of a folder and makes one where there is none. Of processes that open a
// new folder together, the key of the first holds.
func OpenKey(dir string) (ledger.Key, error) {
	path := filepath.Join(dir, KeyFile)
	raw, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		if err := offer(path, ledger.NewKey().Text()+"\n"); err != nil {
			return ledger.Key{}, err
		}
		raw, err = os.ReadFile(path)
	}
	if err != nil {
		return ledger.Key{}, err
	}
	if err := os.Chmod(path, 0o600); err != nil {
		return ledger.Key{}, err
	}
	key, err := ledger.ParseKey(string(raw))
	if err != nil {
		return key, problem.Wrap(err, problem.Internal, "ledger_key", "The file %s holds no key: put the right one back from a copy of the folder.", path)
	}
	return key, nil
}

// offer writes a file, whole and on the disk before it goes by its name, unless there is one.
func offer(path, text string) error {
	temp := path + "." + rand.Text()
	f, err := os.OpenFile(temp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	defer os.Remove(temp) //nolint:errcheck // a leftover holds a key that was never used
	_, err = f.WriteString(text)
	if err = errors.Join(err, f.Sync(), f.Close()); err != nil {
		return err
	}
	if err := os.Link(temp, path); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	return nil
}
