package zobrist_test

import (
	"fmt"

	"trefoil/zobrist"
)

// A game with 12 kinds of pieces on 64 squares: the key of a position, and its update by a move
// instead of a computation from scratch.
func Example() {
	var words [12][64]uint64
	source := zobrist.NewSource("my chess")
	for kind := range words {
		source.Fill(words[kind][:])
	}
	const king, rook, e1, a8, h8 = 5, 3, 4, 56, 63

	key := words[king][e1] ^ words[rook][a8]

	key ^= words[rook][a8] ^ words[rook][h8] // the rook moves,
	key ^= zobrist.Side                      // and it is the other side's turn

	fmt.Println("updated key is the key from scratch:", key == words[king][e1]^words[rook][h8]^zobrist.Side)
	fmt.Println("bit 0 is the side to move:", key&1)
	// Output:
	// updated key is the key from scratch: true
	// bit 0 is the side to move: 1
}

// Words of one seed are always the same. A second seed makes second keys, which show whether two
// positions with equal keys are the same position.
func ExampleNewSource() {
	first, again, second := zobrist.NewSource("my chess"), zobrist.NewSource("my chess"),
		zobrist.NewSource("my chess, second keys")
	a, b, c := first.Word(), again.Word(), second.Word()
	fmt.Println(a == b, a == c)
	// Output:
	// true false
}

// How many false hits to expect of 10 million probes that miss in a table of 16 MiB with three
// entries in a cluster, if 21 or 16 bits of a key are compared.
func ExampleCheck_FalseHits() {
	for _, bits := range []int{21, 16} {
		c := zobrist.Check{Bits: bits, EntriesPerCluster: 3, Clusters: 16 * 32768}
		fmt.Printf("%d bits: %.1f in a table that was empty, %.1f in a full one\n",
			bits, c.FalseHits(1e7, 1e7), 1e7*c.PerMiss())
	}
	// Output:
	// 21 bits: 12.8 in a table that was empty, 14.3 in a full one
	// 16 bits: 409.8 in a table that was empty, 457.8 in a full one
}

// Zobrist's table of 1970: the probability of no error in 2^24 retrievals, by how many bits a
// key has beyond 24.
func ExampleNoError() {
	for m := 0; m <= 8; m += 4 {
		fmt.Printf("%d: %.5f\n", m, zobrist.NoError(24, m))
	}
	// Output:
	// 0: 0.36788
	// 4: 0.93941
	// 8: 0.99610
}
