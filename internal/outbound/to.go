package outbound

import (
	"net/http"
	"net/url"
)

// To makes a client that may reach the host of an address which the operator set, wherever that host
// is, and no other that is not public.
func To(address string) (*http.Client, error) {
	u, err := url.Parse(address)
	if err != nil {
		return nil, err
	}
	return New(Options{Allow: []string{HostPort(u)}}), nil
}
