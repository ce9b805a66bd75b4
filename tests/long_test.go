// Package tests checks the whole house: what no single package can see.
package tests

import "flag"

var long = flag.Bool("long", false, "run the tests that take minutes")
