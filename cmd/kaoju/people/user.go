// Package people are the commands of an administrator: users, groups, grants, tokens, sign-in, and what holds for a tenant.
package people

import (
	"bufio"
	"context"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/kaoju/kaoju/api"
	"github.com/kaoju/kaoju/cmd/kaoju/console"
	"github.com/kaoju/kaoju/cmd/kaoju/outcome"
	"github.com/kaoju/kaoju/cmd/kaoju/terminal"
	"github.com/kaoju/kaoju/cmd/kaoju/wiring"
	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/desk"
	"github.com/kaoju/kaoju/internal/httpapi/wire"
)

// commands is what the commands of this package are given.
type commands struct{ *console.CLI }

// UserCommand is kaoju user.
func UserCommand(shared *console.CLI) *cobra.Command {
	c := commands{shared}
	list := c.Admin("list", "List the users of the tenant", 0, c.listUsers)
	show := c.Admin("show ID", "Show a user with all groups", 1, c.showUser)
	add := c.Admin("add ID", "Make a user", 1, c.addUser)
	add.Flags().String("name", "", "name for people; the id if left out")
	add.Flags().StringSlice("role", nil, "roles: member, knowledge_admin, auditor, tenant_admin; member if left out")
	add.Flags().Bool("service", false, "a service account, which may not decide proposals")
	roles := c.Admin("roles ID ROLE…", "Replace the roles of a user", -2, c.setRoles)
	suspend := c.Admin("suspend ID", "Take every right from a user at once, without deleting anything", 1, c.suspend(true))
	activate := c.Admin("activate ID", "Give a suspended user the rights back", 1, c.suspend(false))
	password := c.Admin("password ID", "Set a password, read from the standard input; ends the user's sessions", 1, c.setPassword)
	return console.Group("user", "People and service accounts · 用户", append([]*cobra.Command{list, show, add, roles, suspend, activate, password}, identityCommands(shared)...)...)
}

func (c commands) listUsers(ctx context.Context, s *wiring.Product, actor access.Actor, cmd *cobra.Command, _ []string) error {
	out := []api.User{}
	for after := access.UserID(""); ; {
		page, err := s.Desk.Users(ctx, actor, after, 200)
		if err != nil {
			return console.Named(err, "the users of tenant "+string(actor.Tenant))
		}
		for _, id := range page.Items {
			out = append(out, wire.User(id))
		}
		if after = access.UserID(page.Next); after == "" {
			break
		}
	}
	if console.WantsJSON(cmd) {
		return c.PrintJSON(api.List[api.User]{Items: out})
	}
	for _, u := range out {
		c.Say("%s", userLine(u))
	}
	return nil
}

// userLine is a user on one line.
func userLine(u api.User) string {
	line := u.ID + "\t" + strings.Join(u.Roles, ",") + "\t" + terminal.Clean(u.DisplayName)
	if u.Groups != nil && len(*u.Groups) > 0 {
		line += "\tin " + strings.Join(*u.Groups, ",")
	}
	if u.Service {
		line += "\tservice account"
	}
	if u.Suspended {
		line += "\tsuspended"
	}
	return line
}

func (c commands) showUser(ctx context.Context, s *wiring.Product, actor access.Actor, cmd *cobra.Command, list []string) error {
	id, err := s.Desk.User(ctx, actor, access.UserID(list[0]))
	if err != nil {
		return console.Named(err, "user "+list[0])
	}
	return c.Tell(cmd, wire.User(id), "%s", userLine(wire.User(id)))
}

func (c commands) addUser(ctx context.Context, s *wiring.Product, actor access.Actor, cmd *cobra.Command, list []string) error {
	name, _ := cmd.Flags().GetString("name")
	words, _ := cmd.Flags().GetStringSlice("role")
	service, _ := cmd.Flags().GetBool("service")
	roles, err := parseRoles(words)
	if err != nil {
		return err
	}
	id, err := s.Desk.CreateUser(ctx, actor, access.Identity{User: access.UserID(list[0]), DisplayName: name, Roles: roles, Service: service})
	if err != nil {
		return console.Named(err, "the users of tenant "+string(actor.Tenant))
	}
	return c.Tell(cmd, wire.User(id), "%s", userLine(wire.User(id)))
}

func parseRoles(words []string) ([]access.Role, error) {
	var out []access.Role
	for _, w := range words {
		role, err := access.ParseRole(w)
		if err != nil {
			return nil, err
		}
		out = append(out, role)
	}
	return out, nil
}

func (c commands) setRoles(ctx context.Context, s *wiring.Product, actor access.Actor, cmd *cobra.Command, list []string) error {
	roles, err := parseRoles(list[1:])
	if err != nil {
		return err
	}
	return c.changeUser(ctx, s, actor, cmd, list[0], desk.UserChange{Roles: &roles})
}

func (c commands) suspend(on bool) func(context.Context, *wiring.Product, access.Actor, *cobra.Command, []string) error {
	return func(ctx context.Context, s *wiring.Product, actor access.Actor, cmd *cobra.Command, list []string) error {
		return c.changeUser(ctx, s, actor, cmd, list[0], desk.UserChange{Suspended: &on})
	}
}

func (c commands) changeUser(ctx context.Context, s *wiring.Product, actor access.Actor, cmd *cobra.Command, user string, change desk.UserChange) error {
	id, err := s.Desk.EditUser(ctx, actor, access.UserID(user), change)
	if err != nil {
		return console.Named(err, "user "+user)
	}
	return c.Tell(cmd, wire.User(id), "%s", userLine(wire.User(id)))
}

// setPassword reads the new password from the standard input: the first line of what is piped in,
// or of what is typed, which a terminal shows.
func (c commands) setPassword(ctx context.Context, s *wiring.Product, actor access.Actor, cmd *cobra.Command, list []string) error {
	user := access.UserID(list[0])
	if _, err := s.Desk.User(ctx, actor, user); err != nil {
		return console.Named(err, "user "+list[0])
	}
	if f, ok := c.In.(*os.File); ok {
		if info, err := f.Stat(); err == nil && info.Mode()&os.ModeCharDevice != 0 {
			c.Note("New password for %s (the terminal shows what you type):", user)
		}
	}
	line, _ := bufio.NewReader(c.In).ReadString('\n') // an empty line is refused below
	line = strings.TrimRight(line, "\r\n")
	if line == "" {
		return outcome.New(outcome.Usage, "there is no password on the standard input")
	}
	if err := s.Gate.SetPassword(ctx, actor, user, line); err != nil {
		return err
	}
	return c.Tell(cmd, map[string]any{"user": user, "password": "set"}, "the password of %s is set; all sessions of %s have ended", user, user)
}
