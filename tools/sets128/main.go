// Sets128 writes the code for sets of cells in two words from the code for one word; "go generate" runs it:
//
//	go run trefoil/tools/sets128 FILE...
//
// It copies the declarations of these files that depend on connect4.Set to the file generated128.go. In the copy
// connect4.Set is connect4.Set128, and its methods take the place of the operators. A declaration that is copied has
// the suffix 128, and so has everything that the package, or another package of the module, declares with and without
// that suffix: such as constants and functions that differ, which are written by hand.
package main

import (
	"fmt"
	"os"
)

const output = "generated128.go"

func main() {
	text, err := generate(".", os.Args[1:])
	if err == nil {
		err = os.WriteFile(output, text, 0o644)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
