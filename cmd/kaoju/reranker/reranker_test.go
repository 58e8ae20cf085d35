package reranker_test

import (
	"strings"
	"testing"
	"time"

	"github.com/kaoju/kaoju/cmd/kaoju/reranker"
	"github.com/kaoju/kaoju/internal/llm"
)

func TestSettingsGoTogether(t *testing.T) {
	for name, c := range map[string]struct {
		settings reranker.Settings
		says     string
	}{
		"none":          {reranker.Settings{Hits: 30}, ""},
		"whole":         {reranker.Settings{URL: "http://127.0.0.1/v1", Model: "m", Hits: 30}, ""},
		"no model":      {reranker.Settings{URL: "http://127.0.0.1/v1", Hits: 30}, "rerank_model"},
		"no address":    {reranker.Settings{Model: "m", Hits: 30}, "rerank_model"},
		"too few hits":  {reranker.Settings{Hits: 1}, "rerank_hits"},
		"too many hits": {reranker.Settings{Hits: 101}, "rerank_hits"},
	} {
		err := c.settings.Check()
		if (err == nil) != (c.says == "") || err != nil && !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestAModelIsOpenedWithoutContactingIt(t *testing.T) {
	r, err := reranker.Open(reranker.Settings{URL: "https://rank.example/v1", Model: "m", API: "tei", Hits: 12, Time: time.Second}, nil)
	if err != nil || r.Hits != 12 || reranker.Info(r) != (llm.Info{Engine: llm.Model, Name: "m", Host: "rank.example", Remote: true}) {
		t.Errorf("%+v, %v", r, err)
	}
	near, err := reranker.Open(reranker.Settings{URL: "https://rank.example/v1", Model: "m", Place: llm.Local}, nil)
	if err != nil || near.Model.Info().Remote {
		t.Errorf("%+v, %v", near, err)
	}
	if r, err := reranker.Open(reranker.Settings{}, nil); r != nil || err != nil || reranker.Info(r) != (llm.Info{}) {
		t.Errorf("without an address: %v, %v", r, err)
	}
	for name, s := range map[string]reranker.Settings{"another protocol": {URL: "http://127.0.0.1/v1", Model: "m", API: "x"}, "no model": {URL: "http://127.0.0.1/v1"}, "no address": {URL: "::", Model: "m"}} {
		if r, err := reranker.Open(s, nil); r != nil || err == nil {
			t.Errorf("%s is opened", name)
		}
	}
}

func TestWhereTextGoesIsSaid(t *testing.T) {
	for says, i := range map[string]llm.Info{
		"hits keep the order": {}, "m at rank.example: what is searched for and the passages that are found leave this machine": {Name: "m", Host: "rank.example", Remote: true},
		"m at 127.0.0.1:8080, which counts as local": {Name: "m", Host: "127.0.0.1:8080"},
	} {
		if got := reranker.Detail(i); !strings.Contains(got, says) {
			t.Errorf("%q does not say %q", got, says)
		}
	}
}
