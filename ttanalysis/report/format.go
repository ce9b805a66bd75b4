package report

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// mebibytes formats a size.
func mebibytes(mib float64) string { return strconv.FormatFloat(mib, 'f', -1, 64) + " MiB" }

// rate formats a rate in percent.
func rate(percent float64) string { return fmt.Sprintf("%.2f %%", percent) }

// percentOf formats a share in percent.
func percentOf(percent float64) string { return fmt.Sprintf("%.1f %%", percent) }

// more says how much a is above or below b, both rates in percent, relative to b.
func more(a, b float64) string {
	word := "more"
	if a < b {
		word = "fewer"
	}
	switch p := 100 * math.Abs(a/b-1); {
	case a == b:
		return "as many"
	case b == 0:
		return fmt.Sprintf("%.2f percentage points %s", a, word)
	case p < 0.005:
		return "less than 0.01 % " + word
	case p < 0.995:
		return fmt.Sprintf("%.2f %% %s", p, word)
	case p < 9.95:
		return fmt.Sprintf("%.1f %% %s", p, word)
	default:
		return fmt.Sprintf("%.0f %% %s", p, word)
	}
}

// moreThan is more with the word that joins it to what b belongs to.
func moreThan(a, b float64) string {
	if a == b {
		return "as many as"
	}
	return more(a, b) + " than"
}

// difference formats how much a is above or below b in percent of b, with a sign.
func difference(a, b float64) string {
	if b == 0 {
		return "–"
	}
	text := fmt.Sprintf("%+.2f", 100*(a/b-1))
	if text == "-0.00" || text == "+0.00" {
		return "0.00"
	}
	return strings.Replace(text, "-", "−", 1)
}

// enumerated joins texts: a, b and c.
func enumerated(texts []string) string {
	last := len(texts) - 1
	if last < 1 {
		return strings.Join(texts, "")
	}
	return strings.Join(texts[:last], ", ") + " and " + texts[last]
}

// capital returns text with a capital.
func capital(text string) string { return strings.ToUpper(text[:1]) + text[1:] }

// grouped formats a count with a comma between thousands.
func grouped(n uint64) string {
	text := strconv.FormatUint(n, 10)
	for i := len(text) - 3; i > 0; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	return text
}

// plural formats a count of things.
func plural(n uint64, thing string) string {
	switch n {
	case 0:
		return "no " + thing + "s"
	case 1:
		return "1 " + thing
	}
	return grouped(n) + " " + thing + "s"
}
