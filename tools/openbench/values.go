package main

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// The functions here check a value of a field as the server does when a workload is created.

var (
	versionForm = regexp.MustCompile(`^[0-9]+(\.[0-9]+)*$`)
	sourceForm  = regexp.MustCompile(`^https://github\.com/[A-Za-z0-9-]+/[A-Za-z0-9_.-]+/?$`)
	pairForm    = regexp.MustCompile(`^\[(-?[0-9]+(?:\.[0-9]+)?), (-?[0-9]+(?:\.[0-9]+)?)\]$`)

	syzygy = oneOf("OPTIONAL", "DISABLED", "3-MAN", "4-MAN", "5-MAN", "6-MAN", "7-MAN")
)

// form returns a check that a text matches expression from end to end; usage says in words what it must be.
func form(expression, usage string) func(string) error {
	r := regexp.MustCompile("^(?:" + expression + ")$")
	return func(value string) error {
		if !r.MatchString(value) {
			return fmt.Errorf("%q is not %s", value, usage)
		}
		return nil
	}
}

func oneOf(words ...string) func(string) error {
	return func(value string) error {
		if !slices.Contains(words, value) {
			return fmt.Errorf("%q is none of %s", value, strings.Join(words, ", "))
		}
		return nil
	}
}

// text accepts up to n bytes, and not none.
func text(n int) func(string) error {
	return func(value string) error {
		if value == "" || len(value) > n {
			return fmt.Errorf("%q does not have 1 to %d bytes", value, n)
		}
		return nil
	}
}

func integer(value string) error {
	if _, err := strconv.ParseInt(value, 10, 32); err != nil {
		return fmt.Errorf("%q is not a whole number", value)
	}
	return nil
}

func positive(value string) error {
	if n, err := strconv.ParseInt(value, 10, 32); err != nil || n < 1 {
		return fmt.Errorf("%q is not a whole number above 0", value)
	}
	return nil
}

func above0(value string) error {
	if x, err := strconv.ParseFloat(value, 64); err != nil || !(x > 0) {
		return fmt.Errorf("%q is not a number above 0", value)
	}
	return nil
}

// pair reads "[A, B]".
func pair(value string) (a, b float64, err error) {
	m := pairForm.FindStringSubmatch(value)
	if m == nil {
		return 0, 0, fmt.Errorf("%q is not of the form [0.00, 5.00]", value)
	}
	a, _ = strconv.ParseFloat(m[1], 64)
	b, _ = strconv.ParseFloat(m[2], 64)
	return a, b, nil
}

// maxBound is the largest normalized Elo of a hypothesis with which the server can compute.
const maxBound = 230

// bounds accepts the normalized Elo of both hypotheses, the lower first.
func bounds(value string) error {
	low, high, err := pair(value)
	switch {
	case err != nil:
		return err
	case low >= high:
		return fmt.Errorf("%q: the first bound is not below the second", value)
	case low < -maxBound || high > maxBound:
		return fmt.Errorf("%q: the server cannot compute with a bound beyond %d", value, maxBound)
	}
	return nil
}

// confidence accepts the probabilities of both errors.
func confidence(value string) error {
	a, b, err := pair(value)
	if err == nil && !(0 < a && a < 1 && 0 < b && b < 1) {
		err = fmt.Errorf("%q: the probabilities are not between 0 and 1", value)
	}
	return err
}

func checkSource(value string) error {
	if !sourceForm.MatchString(value) {
		return fmt.Errorf("%q is not of the form https://github.com/OWNER/NAME", value)
	}
	return nil
}

// checkSideOptions accepts options of this engine, among them Threads and Hash, by which the server counts processors.
func checkSideOptions(value string) error {
	if len(value) > 256 {
		return errors.New("has more than 256 bytes")
	}
	for _, name := range []string{"Threads=", "Hash="} {
		if !slices.ContainsFunc(strings.Fields(value), func(o string) bool { return strings.HasPrefix(o, name) }) {
			return fmt.Errorf("%q does not set %s", value, strings.TrimSuffix(name, "="))
		}
	}
	return checkOptions(value)
}
