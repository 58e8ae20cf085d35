package httpapi

import (
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"testing"

	"github.com/kaoju/kaoju/api"
)

func TestASourceTakesAKeyThatCameAnotherWayOnlyWhereItIsToAdoptIt(t *testing.T) {
	w := newWorld(t)
	s := w.live()
	alice := api.NewClient(s.Client(), s.URL, w.tokens["alice"])
	kb, err := alice.CreateKnowledgeBase(t.Context(), api.NewKnowledgeBase{Name: "P"}, "")
	must(t, err)
	send := func(text, source string, adopt bool) error {
		t.Helper()
		place := ""
		if source != "" {
			place = "in/a.txt"
		}
		_, err := alice.Upload(t.Context(), kb.ID, api.NewDocument{FileName: "a.txt", Body: strings.NewReader(text), Source: source, SourcePath: place, Adopt: adopt})
		w.work()
		return err
	}
	must(t, send("by hand", "", false))
	var p *api.Problem
	if err := send("of a folder", "folder", false); !errors.As(err, &p) || p.Status != http.StatusConflict || p.Code != "doc_key_taken" || p.DocumentID != "" {
		t.Errorf("error %v", err)
	}
	must(t, send("of a folder", "folder", true))
	must(t, send("of a folder, again", "folder", false))
	list, err := alice.Documents(t.Context(), kb.ID, api.DocumentFilter{Source: "folder"}, api.Page{})
	must(t, err)
	if len(list.Items) != 1 || list.Items[0].Version != 3 || list.Items[0].SourcePath != "in/a.txt" {
		t.Errorf("the source has %+v", list.Items)
	}
}

func TestAWishToAdoptIsYesOrNo(t *testing.T) {
	w := newWorld(t)
	w.kb("kb-a")
	for wish, status := range map[string]int{"yes": http.StatusAccepted, "no": http.StatusAccepted, "true": http.StatusUnprocessableEntity, "YES": http.StatusUnprocessableEntity} {
		rec := w.upload("alice", "kb-a", "doc_key", wish, "adopt", wish, "file", "a.txt|a")
		var p api.Problem
		must(t, json.Unmarshal(rec.Body.Bytes(), &p))
		if rec.Code != status || status != http.StatusAccepted && (len(p.Errors) != 1 || p.Errors[0].Pointer != "/adopt") {
			t.Errorf("%s: %d %s", wish, rec.Code, rec.Body)
		}
	}
}
