package outbound_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/kaoju/kaoju/internal/outbound"
)

func TestClientToAnAddressReachesThatHostAndNoOtherPrivateOne(t *testing.T) {
	greet := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) })
	ours, other := httptest.NewServer(greet), httptest.NewServer(greet)
	defer ours.Close()
	defer other.Close()
	client, err := outbound.To(ours.URL + "/v1")
	if err != nil {
		t.Fatal(err)
	}
	resp, err := client.Get(ours.URL)
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	if resp, err := client.Get(other.URL); err == nil {
		resp.Body.Close()
		t.Error("it reached another port of this machine")
	}
	if _, err := outbound.To("http://\x7f"); err == nil || !strings.Contains(err.Error(), "invalid") {
		t.Errorf("no address: %v", err)
	}
}
