// Package tests holds the tests that need several packages or the built program.
package tests

import "flag"

var long = flag.Bool("long", false, "also run the tests that take minutes")
