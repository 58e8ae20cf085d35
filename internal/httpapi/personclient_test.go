package httpapi

import (
	"errors"
	"net/http"
	"testing"

	"github.com/kaoju/kaoju/api"
)

func TestClientAdministersPeopleGroupsAndTokens(t *testing.T) {
	w := newWorld(t)
	s := w.live()
	ctx := t.Context()
	tina := api.NewClient(s.Client(), s.URL, w.tokens["tina"])
	u, err := tina.CreateUser(ctx, api.NewUser{ID: "li", DisplayName: "李雷"}, "k1")
	must(t, err)
	name := "李"
	u, err = tina.EditUser(ctx, u.ID, api.UserChange{DisplayName: &name})
	must(t, err)
	must(t, tina.SetPassword(ctx, u.ID, api.NewPassword{Password: good}))
	users, err := api.All(ctx, tina.Users)
	must(t, err)
	if len(users) != 7 || u.DisplayName != name || !w.fits("li", good) {
		t.Errorf("%+v %+v", u, users)
	}
	g, err := tina.CreateGroup(ctx, api.NewGroup{ID: "g", Members: []string{"user:li"}}, "")
	must(t, err)
	_, err = tina.AddMember(ctx, g.ID, api.NewMember{Principal: "user:bob"})
	must(t, err)
	must(t, tina.RemoveMember(ctx, g.ID, "user:li"))
	members, err := tina.Members(ctx, g.ID)
	must(t, err)
	set, err := tina.SetMembers(ctx, g.ID, api.Members{Members: []string{"user:li"}})
	must(t, err)
	u, err = tina.User(ctx, "li")
	must(t, err)
	g, err = tina.Group(ctx, g.ID)
	must(t, err)
	groups, err := api.All(ctx, tina.Groups)
	must(t, err)
	if members.Members[0] != "user:bob" || set.Members[0] != "user:li" || (*u.Groups)[0] != "g" || len(g.Members) != 1 || len(groups) != 1 {
		t.Errorf("%+v %+v %+v %+v %+v", members, set, u, g, groups)
	}
	must(t, tina.DeleteGroup(ctx, g.ID))
	made, err := tina.CreateToken(ctx, api.NewToken{Name: "n"}, "")
	must(t, err)
	second := api.NewClient(s.Client(), s.URL, made.Token)
	session, err := second.Session(ctx)
	must(t, err)
	tokens, err := tina.Tokens(ctx, "", api.Page{})
	must(t, err)
	if session.UserID != "tina" || session.ExpiresAt != nil || len(tokens.Items) != 2 {
		t.Errorf("%+v %+v", session, tokens)
	}
	must(t, tina.RevokeToken(ctx, made.ID))
	var p *api.Problem
	if _, err := second.Session(ctx); !errors.As(err, &p) || p.Status != http.StatusUnauthorized {
		t.Errorf("%v", err)
	}
	if err := tina.ChangePassword(ctx, api.PasswordChange{Current: "none at all", New: "another password"}); !errors.As(err, &p) || p.Code != "wrong_password" {
		t.Errorf("%v", err)
	}
}
