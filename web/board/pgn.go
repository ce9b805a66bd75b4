package board

import (
	"cmp"
	"slices"
	"strings"

	"trefoil/game"
	"trefoil/game/chess"
	"trefoil/game/chess/pgn"
)

// pgnTags are the tags that every game in PGN has, with what they say if nothing is known.
var pgnTags = []pgn.Tag{{Name: "Event", Value: "?"}, {Name: "Site", Value: "?"}, {Name: "Date", Value: "????.??.??"},
	{Name: "Round", Value: "?"},
	{Name: "White", Value: "?"}, {Name: "Black", Value: "?"}}

// writePGN is Record.Write.
func writePGN(v *View, t *game.Tree, tags map[string]string) (string, error) {
	g, err := pgn.FromTree(v.Setup, t)
	if err != nil {
		return "", err
	}
	kept := len(v.Legal) > 0 && cmp.Or(g.Result, "*") != "*" // of a file, in which no draw was claimed
	if v.Ended != nil && !kept {
		g.Result = map[int]string{0: "1-0", 1: "0-1", Drawn: "1/2-1/2"}[v.Ended.Winner]
	} else if r := tags["Result"]; v.Ended == nil && (r == "1-0" || r == "0-1" || r == "1/2-1/2") {
		g.Result = r // by resignation or agreement
	}
	g.Result = cmp.Or(g.Result, "*")
	file := pgn.Game{}
	for _, h := range t.Headers {
		file.Tags = append(file.Tags, pgn.Tag{Name: h[0], Value: h[1]})
	}
	for _, tag := range pgnTags {
		g.Tags = append(g.Tags, pgn.Tag{Name: tag.Name, Value: cmp.Or(tags[tag.Name], file.Tag(tag.Name), tag.Value)})
	}
	g.Tags = append(g.Tags, pgn.Tag{Name: "Result", Value: g.Result})
	if t := tags["Termination"]; t != "" && v.Ended == nil {
		g.Tags = append(g.Tags, pgn.Tag{Name: "Termination", Value: t})
	}
	if strings.Trim(strings.Fields(v.Setup)[2], "KQkq-") != "" { // rights by the files of rooks
		g.Tags = append(g.Tags, pgn.Tag{Name: "Variant", Value: "Chess960"})
	}
	if v.Setup != chess.StartFEN {
		g.Tags = append(g.Tags, pgn.Tag{Name: "SetUp", Value: "1"}, pgn.Tag{Name: "FEN", Value: v.Setup})
	}
	for _, tag := range file.Tags {
		named := func(other string) bool { return strings.EqualFold(tag.Name, other) }
		if !slices.ContainsFunc([]string{"Variant", "SetUp", "FEN"}, named) &&
			!slices.ContainsFunc(g.Tags, func(t pgn.Tag) bool { return named(t.Name) }) {
			g.Tags = append(g.Tags, tag)
		}
	}
	var b strings.Builder
	_, err = g.WriteTo(&b)
	return b.String(), err
}
