package ttanalysis

import (
	"context"
	"fmt"

	"trefoil/cluster"
)

// CensusLine counts the entries of a table one by one and returns the counts as a line of text.
func CensusLine(ctx context.Context, t *cluster.Table) (string, error) {
	c, err := t.Census(ctx)
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("hash entries %d of %d (%.1f %%); of the last search %s, exact %d, quiescence %d; full by "+
		"sample %d permille",
		c.Used, c.Capacity, 100*share(c.Used, c.Capacity), withShare(c.Current, c.Capacity), c.Exact, c.Quiescence,
		t.Full()), nil
}
