package cli

import (
	"fmt"
	"strings"
	"testing"
)

// TestWhole: numbers at and beyond their bounds, and what is none.
func TestWhole(t *testing.T) {
	for text, ok := range map[string]bool{
		"1": true, "256": true, "0": false, "257": false, "-1": false, "": false, "1.5": false, "0x10": false, "99999999999999999999": false, " 1": false,
	} {
		n, err := Whole[Threads]([]byte(text), 1, 256)
		if (err == nil) != ok || err != nil && !strings.HasPrefix(err.Error(),
			fmt.Sprintf("%q is not a whole number from 1 to 256", text)) && len(text) < 40 {
			t.Errorf("%q: %d, %v", text, n, err)
		}
	}
	for text, ok := range map[string]bool{
		"0": true, "9223372036854775807": true, "9223372036854775808": false, "-1": false,
	} {
		var n Nodes
		if err := n.UnmarshalText([]byte(text)); (err == nil) != ok || ok && fmt.Sprint(n) != text {
			t.Errorf("%q: %d, %v", text, n, err)
		}
	}
	for text, ok := range map[string]bool{"0": true, "0s": true, "1h30m": true, "-1s": false, "5": false, "": false} {
		var d Timeout
		if err := d.UnmarshalText([]byte(text)); (err == nil) != ok {
			t.Errorf("%q: %v, %v", text, d, err)
		}
	}
}

// TestCount: one thing has no plural.
func TestCount(t *testing.T) {
	if got := Count(0, "line") + ", " + Count(1, "line") + ", " +
		Count(uint64(2), "line"); got != "0 lines, 1 line, 2 lines" {
		t.Error(got)
	}
}
