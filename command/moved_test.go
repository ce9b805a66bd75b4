package command

import (
	"strings"
	"testing"
)

// TestMoved: command lines of earlier versions name the program that runs them now; today's command lines
// do not.
func TestMoved(t *testing.T) {
	for args, want := range map[string]string{
		"prove":                       "trefoil: prove is a subcommand of another program: trefoil-queue prove\n",
		"prove --queue url ultimate":  "trefoil-queue prove\n",
		"work --queue url":            "trefoil-queue work\n",
		"queue":                       "trefoil-queue queue\n",
		"queue serve --listen x":      "trefoil-queue queue\n",
		"queue -h":                    "trefoil-queue queue\n",
		"help prove":                  "trefoil-queue prove\n",
		"book connect4 --queue url x": "trefoil-queue book connect4 --queue\n",
		"book connect4 --unconfirmed --queue=url x": "trefoil-queue book connect4 --queue\n",
	} {
		misused(t, want, strings.Fields(args)...)
	}
	for _, word := range []string{"prove", "work", "queue"} {
		if !Known(word) {
			t.Errorf("%s is for the protocol", word)
		}
	}
	for _, args := range []string{"", "help", "book connect4 queue", "help book"} {
		if err := moved(strings.Fields(args)); err != nil {
			t.Errorf("%s: %v", args, err)
		}
	}
}
