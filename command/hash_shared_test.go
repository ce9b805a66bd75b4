package command

import (
	"errors"
	"strings"
	"testing"

	"trefoil/cluster"
	"trefoil/internal/cli"
)

// TestPrintShared: a line for each table that can be used, below a head. The others are named with reasons.
func TestPrintShared(t *testing.T) {
	usable := cluster.SharedInfo{Sharing: cluster.Sharing{Name: "mine", Label: cluster.Label{Game: "chess"}}, Users: 2,
		Memory: 3 << 20, Plan: cluster.Plan{Allocated: 16}}
	foreign := cluster.SharedInfo{Sharing: cluster.Sharing{Name: "theirs"}, Other: &cluster.OtherUser{ID: 1 << 30}}
	damaged := cluster.SharedInfo{Sharing: cluster.Sharing{Name: "old"}, Err: errors.New("it is damaged")}
	for _, c := range []struct {
		list      []cluster.SharedInfo
		out, errs string
	}{
		{[]cluster.SharedInfo{usable, foreign},
			"name  size    game   users  memory\nmine  16 MiB  chess  2      3 MiB\nshared hash \"theirs\": of another user, 1073741824\n", ""},
		{[]cluster.SharedInfo{damaged}, "", "trefoil: hash shared: shared hash \"old\": it is damaged\n"},
	} {
		var out, errs strings.Builder
		std := &cli.Console{Prefix: "trefoil: hash shared", Out: &out, Err: &errs}
		err := printShared(c.list, std)
		if out.String() != c.out || errs.String() != c.errs || (err != nil) != (c.errs != "") {
			t.Errorf("%q, %q, %v", out.String(), errs.String(), err)
		}
	}
}

// TestHashShared: there is an answer, whether tables are shared or not, and on systems that cannot share them.
func TestHashShared(t *testing.T) {
	var out, errs strings.Builder
	if Run([]string{"hash", "shared"}, nil, &out, &errs); out.Len()+errs.Len() == 0 {
		t.Error("no answer")
	}
}
