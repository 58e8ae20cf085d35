package demo

import (
	"io/fs"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kaoju/kaoju/examples"
	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/corpus"
)

// text returns the original of a document.
func text(t *testing.T, id corpus.DocumentID) string {
	t.Helper()
	for _, d := range Documents() {
		if d.ID == id {
			b, err := d.Original()
			if err != nil {
				t.Fatal(err)
			}
			return string(b)
		}
	}
	t.Fatalf("no document %s", id)
	return ""
}

// TestFixedFactsOfTheDemonstration holds what the documentation and its readers' commands rely on.
func TestFixedFactsOfTheDemonstration(t *testing.T) {
	type fact struct {
		id      corpus.DocumentID
		base    access.KnowledgeBaseID
		key     corpus.Key
		version int
		status  access.Status
	}
	for _, want := range []fact{
		{"doc-travel-v1", "kb-policies", "travel-policy", 1, access.StatusArchived},
		{"doc-travel-v2", "kb-policies", "travel-policy", 2, access.StatusPublished},
		{"doc-travel-v3", "kb-policies", "travel-policy", 3, access.StatusDraft},
		{"doc-rd-handbook-v1", "kb-rd", "rd-handbook", 1, access.StatusPublished},
		{"doc-after-sales-v1", "kb-support", "after-sales", 1, access.StatusPublished},
		{"doc-release-checklist-v1", "kb-policies", "release-checklist", 1, access.StatusPublished},
	} {
		i := slices.IndexFunc(Documents(), func(d Document) bool { return d.ID == want.id })
		if i < 0 {
			t.Errorf("there is no %s", want.id)
			continue
		}
		d := Documents()[i]
		if got := (fact{d.ID, d.Base, d.Key, d.Version, d.Status}); got != want || d.Tenant != "acme" {
			t.Errorf("got %+v of %s, want %+v of acme", got, d.Tenant, want)
		}
	}
}

func TestShanghaiLimitIsAnotherInEachVersion(t *testing.T) {
	limits := map[corpus.DocumentID]string{"doc-travel-v1": "500", "doc-travel-v2": "650", "doc-travel-v3": "720", "doc-globex-travel-v1": "880"}
	for id, own := range limits {
		body := text(t, id)
		for _, phrase := range []string{"上海的住宿上限为每晚 " + own + " 元", "lodging limit in Shanghai "} {
			if !strings.Contains(body, phrase) {
				t.Errorf("%s does not say %q", id, phrase)
			}
		}
		for other, limit := range limits {
			if other != id && strings.Contains(body, limit) {
				t.Errorf("%s holds %s, the limit of %s; an answer from it could not be told apart", id, limit, other)
			}
		}
	}
}

func TestCanaryStandsInTheHandbookAlone(t *testing.T) {
	const canary = "CANARY-RD-7f3a91"
	if !slices.Contains(strings.Split(text(t, "doc-rd-handbook-v1"), "\n"), canary) {
		t.Error("the research handbook has no line that is the canary")
	}
	for _, d := range Documents() {
		if d.Base != Research && strings.Contains(text(t, d.ID), canary) {
			t.Errorf("%s holds the canary of the research base", d.ID)
		}
	}
}

func TestPeopleAndRights(t *testing.T) {
	wantPeople := []Person{
		{"acme", "alice", "Alice", []access.Role{"member"}},
		{"acme", "bob", "Bob", []access.Role{"member"}},
		{"acme", "carol", "Carol", []access.Role{"member", "knowledge_admin"}},
		{"acme", "dave", "Dave", []access.Role{"member", "auditor"}},
		{"globex", "erin", "Erin", []access.Role{"member"}},
	}
	if diff := cmp.Diff(wantPeople, People()); diff != "" {
		t.Error(diff)
	}
	got := map[string]string{}
	for _, b := range Bases() {
		var grants []string
		for _, g := range b.Grants {
			grants = append(grants, string(g.Principal)+" "+g.Level.String())
		}
		got[string(b.Tenant)+" "+string(b.ID)] = string(b.Publishing) + ": " + strings.Join(grants, ", ")
	}
	want := map[string]string{
		"acme kb-policies": "proposal: everyone reader, user:carol manager",
		"acme kb-rd":       "proposal: group:rd reader, user:bob manager",
		"acme kb-support":  "direct: everyone reader, user:carol manager",
		"globex kb-globex": "proposal: everyone reader, user:erin manager",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	wantGroups := []Group{{ID: "rd", Members: []access.Principal{"user:bob"}}}
	if diff := cmp.Diff(wantGroups, Tenants()[0].Groups); diff != "" {
		t.Error(diff)
	}
}

// TestManifestIsSound looks for slips in the list: versions out of order, a file that is missing,
// shared or unused, an id that could not be taken.
func TestManifestIsSound(t *testing.T) {
	type identity struct {
		tenant access.TenantID
		base   access.KnowledgeBaseID
		key    corpus.Key
	}
	versions, published, ids, used := map[identity]int{}, map[identity]int{}, map[corpus.DocumentID]bool{}, map[string]bool{}
	for _, d := range Documents() {
		key := identity{d.Tenant, d.Base, d.Key}
		if versions[key]++; versions[key] != d.Version {
			t.Errorf("%s is version %d and goes in as the %d. one", d.ID, d.Version, versions[key])
		}
		if d.Status == access.StatusPublished {
			published[key]++
		}
		if ids[d.ID] || !access.ValidID(string(d.ID)) || !strings.HasPrefix(string(d.ID), "doc-") {
			t.Errorf("%q can't be the id of this document", d.ID)
		}
		if ids[d.ID] = true; used[d.File] {
			t.Errorf("%s stands for two documents", d.File)
		}
		used[d.File] = true
		if body := text(t, d.ID); len(body) < 250 || strings.Contains(body, "\r") {
			t.Errorf("%s is too short to ask about, or has foreign line ends", d.File)
		}
		if !slices.ContainsFunc(Bases(), func(b Base) bool { return b.Tenant == d.Tenant && b.ID == d.Base }) {
			t.Errorf("%s is in %s, which is no base of %s", d.ID, d.Base, d.Tenant)
		}
	}
	for key := range versions {
		if published[key] != 1 {
			t.Errorf("%v has %d published versions", key, published[key])
		}
	}
	for _, tree := range []fs.FS{files, examples.Acme()} {
		err := fs.WalkDir(tree, ".", func(name string, e fs.DirEntry, err error) error {
			if err == nil && !e.IsDir() && !used[name] {
				t.Errorf("%s is embedded and stands for no document", name)
			}
			return err
		})
		if err != nil {
			t.Error(err)
		}
	}
}

// TestExamplesAreWhatEverybodyInAcmeReads keeps examples/acme to the published versions without
// the restricted ones, under the keys of the demonstration: a folder has no versions and no rights.
func TestExamplesAreWhatEverybodyInAcmeReads(t *testing.T) {
	for _, d := range Documents() {
		open := d.Tenant == Acme && d.Base != Research && d.Status == access.StatusPublished && !d.Policy.Restricted
		if example := !strings.HasPrefix(d.File, "files/"); example != open {
			t.Errorf("%s is an example: %v; everybody in Acme reads it: %v", d.ID, example, open)
		}
		if name := path.Base(d.File); !strings.HasPrefix(d.File, "files/") && strings.TrimSuffix(name, path.Ext(name)) != string(d.Key) {
			t.Errorf("%s has the key %s in the demonstration", d.File, d.Key)
		}
	}
}
