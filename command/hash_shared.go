package command

import (
	"fmt"
	"os/user"
	"strconv"
	"strings"
	"text/tabwriter"

	"trefoil/cluster"
	"trefoil/internal/cli"
)

type hashShared struct {
	Remove string `placeholder:"NAME" help:"Remove the table of this name, even if it is damaged."`
}

// Help is printed by -h.
func (*hashShared) Help() string {
	return `Lists the tables that engines share by the option Hash Shared: name, size, game, the processes
that use it now, and the memory that it takes. A table without users was left by processes that
were killed; the next engine that names it uses it. Of another user's table, name and owner are shown.

A table that is removed while engines use it takes memory until the last of them ends. The next
engine that names it makes a new one.

Exit status: 0 on success; 1 if a table cannot be used; 2 if tables cannot be listed or removed.`
}

func (s *hashShared) Run(std *cli.Console) error {
	if s.Remove != "" {
		users, err := cluster.RemoveShared(s.Remove)
		if err != nil {
			return err
		}
		text := ""
		if users > 0 {
			text = fmt.Sprintf("; processes that keep it until they end: %d", users)
		}
		std.Println(fmt.Sprintf("shared hash %q is removed%s", s.Remove, text))
		return nil
	}
	list, err := cluster.ListShared()
	if err != nil {
		return err
	}
	if len(list) == 0 {
		std.Println("no hash is shared")
		return nil
	}
	return printShared(list, std)
}

// printShared prints a line for each table.
func printShared(list []cluster.SharedInfo, std *cli.Console) error {
	var table strings.Builder
	w := tabwriter.NewWriter(&table, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "name\tsize\tgame\tusers\tmemory")
	usable, unusable := 0, 0
	for _, i := range list {
		switch {
		case i.Err != nil:
			unusable++
			continue
		case i.Other != nil:
			continue
		}
		usable++
		fmt.Fprintf(w, "%s\t%d MiB\t%s\t%d\t%d MiB\n", i.Name, i.Plan.Allocated, i.Game, i.Users, i.Memory>>20)
	}
	_ = w.Flush() // a Builder takes everything
	if usable > 0 {
		fmt.Fprint(std.Out, table.String())
	}
	for _, i := range list {
		if i.Other != nil {
			std.Println(fmt.Sprintf("shared hash %q: of another user, %s", i.Name, userName(i.Other.ID)))
		}
		if i.Err != nil {
			std.Warnf("shared hash %q: %v", i.Name, i.Err)
		}
	}
	if unusable > 0 {
		return &cli.Status{Code: cli.StatusWrong}
	}
	return nil
}

// userName is the name of a user or, if the system has none, the number.
func userName(id int) string {
	if u, err := user.LookupId(strconv.Itoa(id)); err == nil {
		return u.Username
	}
	return strconv.Itoa(id)
}
