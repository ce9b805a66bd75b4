package version

import (
	"strings"
	"testing"
)

func TestVersionOf(t *testing.T) {
	for _, test := range []struct{ stamp, module, want string }{
		{"", "", number},
		{"", "(devel)", number}, // go run, or sources without git
		{"", "v1.2.3", "1.2.3"},
		{"", "v1.2.4-0.20261123010823-baf6f0c0ffee+dirty", "1.2.4-0.20261123010823-baf6f0c0ffee+dirty"},
		{"", "v0.0.0-20261123010823-baf6f0c0ffee", number + "-20261123010823-baf6f0c0ffee"}, // no tag yet
		{"baf6f0c-dirty", "", number + "-baf6f0c-dirty"},
		{"v0.2", "(devel)", "0.2"},
		{"v9", "", "9"},
		{"v", "", number + "-v"}, // no tag of this form
		{"v0.2-7-gbaf6f0c", "v1.2.3", "0.2-7-gbaf6f0c"},
	} {
		got := versionOf(test.stamp, test.module)
		if got != test.want {
			t.Errorf("stamp %q, module %q: %q, want %q", test.stamp, test.module, got, test.want)
		}
		if short := shortOf(got); strings.ContainsAny(short, "-+") || !strings.HasPrefix(test.want, short) {
			t.Errorf("%s: short %q", got, short)
		}
	}
}
