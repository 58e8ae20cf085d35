package oidc

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"io"
	"slices"
	"strings"

	"github.com/kaoju/kaoju/internal/auth"
)

// typed reports whether a token's header names one of the types; "" stands for none. A token of
// one kind is never taken for one of another.
func typed(raw string, types ...string) bool {
	first, _, _ := strings.Cut(raw, ".")
	header, err := base64.RawURLEncoding.DecodeString(first)
	if err != nil {
		return false
	}
	fields, ok := members(header)
	return ok && slices.ContainsFunc(types, func(t string) bool { return strings.EqualFold(t, text(fields["typ"])) })
}

// members reads a JSON object whose keys all differ, also in more than case: the library's decoder
// takes a key in any case, so that of two the last would hide the first.
func members(raw []byte) (map[string]json.RawMessage, bool) {
	dec := json.NewDecoder(bytes.NewReader(raw))
	if tok, err := dec.Token(); err != nil || tok != json.Delim('{') {
		return nil, false
	}
	out, seen := map[string]json.RawMessage{}, map[string]bool{}
	for dec.More() {
		tok, err := dec.Token()
		key, ok := tok.(string)
		var value json.RawMessage
		if err != nil || !ok || dec.Decode(&value) != nil {
			return nil, false
		}
		folded := strings.ToLower(strings.ToUpper(key))
		if seen[folded] {
			return nil, false
		}
		seen[folded], out[key] = true, value
	}
	if _, err := dec.Token(); err != nil {
		return nil, false
	}
	_, err := dec.Token()
	return out, errors.Is(err, io.EOF)
}

// text reads a claim that is one text; anything else is none.
func text(raw json.RawMessage) (s string) {
	if json.Unmarshal(raw, &s) != nil {
		return ""
	}
	return s
}

// texts reads a claim that is a list of texts, or one alone. Of anything else nothing is taken: who
// is in no group that is understood is in none.
func texts(raw json.RawMessage) (list []string) {
	if json.Unmarshal(raw, &list) == nil {
		return list
	}
	if one := text(raw); one != "" {
		return []string{one}
	}
	return nil
}

// Notice implements auth.Provider.
func (p *Provider) Notice(ctx context.Context, raw string) (auth.Notice, error) {
	if raw == "" || len(raw) > maxToken || !typed(raw, "", "JWT", "logout+jwt") {
		return auth.Notice{}, auth.BadNotice("not a logout token of the usual form")
	}
	d, err := p.learn()
	if err != nil {
		return auth.Notice{}, err
	}
	away := new(bool)
	token, err := d.verifier.VerifyLogout(context.WithValue(ctx, unfetched{}, away), raw)
	switch {
	case *away:
		return auth.Notice{}, auth.Away("its keys cannot be fetched")
	case err != nil:
		return auth.Notice{}, auth.BadNotice("the logout token is not valid")
	}
	var payload json.RawMessage
	if err := token.Claims(&payload); err != nil {
		return auth.Notice{}, auth.BadNotice("the logout token is not valid")
	}
	claims, ok := members(payload)
	events, ok2 := members(claims["events"])
	_, ok3 := members(events["http://schemas.openid.net/event/backchannel-logout"])
	age := p.conf.Clock().Sub(token.IssuedAt)
	if !ok || !ok2 || !ok3 || age > auth.NoticeTime || age < -skew {
		return auth.Notice{}, auth.BadNotice("the logout token is ambiguous or not new")
	}
	return auth.Notice{ID: token.TokenID, Subject: token.Subject, SID: token.SessionID, IssuedAt: token.IssuedAt}, nil
}
