package main

import (
	"bufio"
	"context"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/kaoju/kaoju/api"
	"github.com/kaoju/kaoju/cmd/kaoju/setting"
	"github.com/kaoju/kaoju/cmd/kaoju/terminal"
	"github.com/kaoju/kaoju/internal/access"
	"github.com/kaoju/kaoju/internal/desk"
	"github.com/kaoju/kaoju/internal/httpapi/wire"
)

func userCommand(c *cli) *cobra.Command {
	list := c.admin("list", "List the users of the tenant", 0, c.listUsers)
	show := c.admin("show ID", "Show a user with all groups", 1, c.showUser)
	add := c.admin("add ID", "Make a user", 1, c.addUser)
	add.Flags().String("name", "", "name for people; the id if left out")
	add.Flags().StringSlice("role", nil, "roles: member, knowledge_admin, auditor, tenant_admin; member if left out")
	add.Flags().Bool("service", false, "a service account, which may not decide proposals")
	roles := c.admin("roles ID ROLE…", "Replace the roles of a user", -2, c.setRoles)
	suspend := c.admin("suspend ID", "Take every right from a user at once, without deleting anything", 1, c.suspend(true))
	activate := c.admin("activate ID", "Give a suspended user the rights back", 1, c.suspend(false))
	password := c.admin("password ID", "Set a password, read from the standard input; ends the user's sessions", 1, c.setPassword)
	return group("user", "People and service accounts · 用户", append([]*cobra.Command{list, show, add, roles, suspend, activate, password}, identityCommands(c)...)...)
}

// admin makes a command on a data folder. n is the number of arguments; a negative one is the
// least.
func (c *cli) admin(use, short string, n int, body func(context.Context, *stack, access.Actor, *cobra.Command, []string) error) *cobra.Command {
	check := cobra.MinimumNArgs(-n)
	if n >= 0 {
		check = cobra.ExactArgs(n)
	}
	cmd := &cobra.Command{
		Use: use, Short: short, Args: args(check),
		RunE: c.action(func(ctx context.Context, conf *setting.Config, cmd *cobra.Command, list []string) error {
			return c.onFolder(ctx, conf, true, func(s *stack, actor access.Actor) error {
				return body(ctx, s, actor, cmd, list)
			})
		}),
	}
	setting.AddFlags(cmd, "data", "as", "tenant")
	jsonFlag(cmd)
	return cmd
}

// tell prints what a command did, as JSON or as a sentence.
func (c *cli) tell(cmd *cobra.Command, v any, format string, a ...any) error {
	if wantsJSON(cmd) {
		return c.printJSON(v)
	}
	c.say(format, a...)
	return nil
}

func (c *cli) listUsers(ctx context.Context, s *stack, actor access.Actor, cmd *cobra.Command, _ []string) error {
	out := []api.User{}
	for after := access.UserID(""); ; {
		page, err := s.desk.Users(ctx, actor, after, 200)
		if err != nil {
			return named(err, "the users of tenant "+string(actor.Tenant))
		}
		for _, id := range page.Items {
			out = append(out, wire.User(id))
		}
		if after = access.UserID(page.Next); after == "" {
			break
		}
	}
	if wantsJSON(cmd) {
		return c.printJSON(api.List[api.User]{Items: out})
	}
	for _, u := range out {
		c.say("%s", userLine(u))
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

func (c *cli) showUser(ctx context.Context, s *stack, actor access.Actor, cmd *cobra.Command, list []string) error {
	id, err := s.desk.User(ctx, actor, access.UserID(list[0]))
	if err != nil {
		return named(err, "user "+list[0])
	}
	return c.tell(cmd, wire.User(id), "%s", userLine(wire.User(id)))
}

func (c *cli) addUser(ctx context.Context, s *stack, actor access.Actor, cmd *cobra.Command, list []string) error {
	name, _ := cmd.Flags().GetString("name")
	words, _ := cmd.Flags().GetStringSlice("role")
	service, _ := cmd.Flags().GetBool("service")
	roles, err := parseRoles(words)
	if err != nil {
		return err
	}
	id, err := s.desk.CreateUser(ctx, actor, access.Identity{User: access.UserID(list[0]), DisplayName: name, Roles: roles, Service: service})
	if err != nil {
		return named(err, "the users of tenant "+string(actor.Tenant))
	}
	return c.tell(cmd, wire.User(id), "%s", userLine(wire.User(id)))
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

func (c *cli) setRoles(ctx context.Context, s *stack, actor access.Actor, cmd *cobra.Command, list []string) error {
	roles, err := parseRoles(list[1:])
	if err != nil {
		return err
	}
	return c.changeUser(ctx, s, actor, cmd, list[0], desk.UserChange{Roles: &roles})
}

func (c *cli) suspend(on bool) func(context.Context, *stack, access.Actor, *cobra.Command, []string) error {
	return func(ctx context.Context, s *stack, actor access.Actor, cmd *cobra.Command, list []string) error {
		return c.changeUser(ctx, s, actor, cmd, list[0], desk.UserChange{Suspended: &on})
	}
}

func (c *cli) changeUser(ctx context.Context, s *stack, actor access.Actor, cmd *cobra.Command, user string, change desk.UserChange) error {
	id, err := s.desk.EditUser(ctx, actor, access.UserID(user), change)
	if err != nil {
		return named(err, "user "+user)
	}
	return c.tell(cmd, wire.User(id), "%s", userLine(wire.User(id)))
}

// setPassword reads the new password from the standard input: the first line of what is piped in,
// or of what is typed, which a terminal shows.
func (c *cli) setPassword(ctx context.Context, s *stack, actor access.Actor, cmd *cobra.Command, list []string) error {
	user := access.UserID(list[0])
	if _, err := s.desk.User(ctx, actor, user); err != nil {
		return named(err, "user "+list[0])
	}
	if f, ok := c.in.(*os.File); ok {
		if info, err := f.Stat(); err == nil && info.Mode()&os.ModeCharDevice != 0 {
			c.note("New password for %s (the terminal shows what you type):", user)
		}
	}
	line, _ := bufio.NewReader(c.in).ReadString('\n') // an empty line is refused below
	line = strings.TrimRight(line, "\r\n")
	if line == "" {
		return exit{exitUsage, "there is no password on the standard input"}
	}
	if err := s.gate.SetPassword(ctx, actor, user, line); err != nil {
		return err
	}
	return c.tell(cmd, map[string]any{"user": user, "password": "set"}, "the password of %s is set; all sessions of %s have ended", user, user)
}
