package ledger

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"

	"github.com/kaoju/kaoju/internal/canonical"
)

// Entries of the second form name what an answer or a draft cites one by one, in a member that the
// hash of the entry covers by the hash of each alone. So whoever may not see one of them any more can be
// given the entry without it, and the entry still is the one of its hash and its proof. Each has the hash
// of an excerpt, made under a nonce, so that its own hash can't be guessed.

// SecondForm is the member "form" of the body of such an entry.
const SecondForm = 2

// secondForm is how such a body is told from others.
var secondForm = []byte(`"form":2`)

// citations are the members that are covered so.
var citations = []string{"citations", "cited"}

// withheld stands in the place of what is not shown.
type withheld struct {
	Ref      string `json:"ref"`
	Withheld bool   `json:"withheld"`
	Hash     string `json:"hash,omitempty"`
}

// Withholding returns an entry without what it names under references that are lost to its reader. An
// entry of an earlier form is then no longer the one of its hash: whole is false.
func (e Entry) Withholding(lost func(ref string) bool) (out Entry, whole bool) {
	body := map[string]json.RawMessage{}
	if json.Unmarshal(e.Body, &body) != nil {
		return e, true
	}
	changed := false
	_, second := e.covered()
	for _, name := range citations {
		var list []json.RawMessage
		if json.Unmarshal(body[name], &list) != nil {
			continue
		}
		for i, item := range list {
			w := read(item)
			if w.Withheld || !lost(w.Ref) {
				continue
			}
			w = withheld{Ref: w.Ref, Withheld: true}
			if second {
				w.Hash = hashOf(item)
			}
			if raw, err := json.Marshal(w); err == nil {
				list[i], changed = raw, true
			}
		}
		if raw, err := json.Marshal(list); err == nil && len(list) > 0 {
			body[name] = raw
		}
	}
	if !changed {
		return e, true
	}
	raw, err := canonical.Marshal(body)
	if err != nil {
		raw = json.RawMessage(`{}`)
	}
	e.Body = raw
	return e, second && err == nil
}

// Reserved reports whether something of an entry is withheld.
func (e Entry) Reserved() bool {
	return bytes.Contains(e.Body, []byte(`"withheld":true`))
}

// covered is what the hash of an entry covers of its body, and whether that is the second form: the whole
// of it, or its citations by their hashes. A body without one form, such as one with a member twice, is
// covered as it is written: else the hash would be over what one reader takes it for.
func (e Entry) covered() (body string, second bool) {
	if !bytes.Contains(e.Body, secondForm) {
		return string(e.Body), false
	}
	members := map[string]json.RawMessage{}
	if json.Unmarshal(e.Body, &members) != nil || string(members["form"]) != "2" {
		return string(e.Body), false
	}
	if _, err := canonical.JSON(e.Body); err != nil {
		return string(e.Body), false
	}
	for _, name := range citations {
		var list []json.RawMessage
		if json.Unmarshal(members[name], &list) != nil || list == nil {
			continue
		}
		folded := make([]withheld, len(list))
		for i, item := range list {
			w := read(item)
			if !w.Withheld {
				w.Hash = hashOf(item)
			}
			folded[i] = withheld{w.Ref, true, w.Hash}
		}
		if raw, err := json.Marshal(folded); err == nil {
			members[name] = raw
		}
	}
	raw, err := canonical.Marshal(members)
	if err != nil {
		return string(e.Body), false
	}
	return string(raw), true
}

// read reads one of the citations; one that says anything else than a withheld one does is none.
func read(item json.RawMessage) withheld {
	var w withheld
	if json.Unmarshal(item, &w) == nil && w.Withheld {
		if same, err := json.Marshal(w); err == nil && canonical.Equal(same, item) {
			return w
		}
	}
	var named struct {
		Ref string `json:"ref"`
	}
	_ = json.Unmarshal(item, &named) // without a reference it is covered all the same
	return withheld{Ref: named.Ref}
}

// hashOf is the hash of what may be withheld, in its one form.
func hashOf(item json.RawMessage) string {
	if one, err := canonical.JSON(item); err == nil {
		item = one
	}
	sum := sha256.Sum256(item)
	return hex.EncodeToString(sum[:])
}
