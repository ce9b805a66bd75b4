package chess

import (
	"fmt"
	"strings"
)

// Starts960 is how many start positions Chess960 has.
const Starts960 = 960

// StartFEN960 returns start position n of Chess960, 0 to 959, by Scharnagl's numbering; 518 is StartFEN.
//
//	n mod 4        the bishop on a light square: b, d, f or h
//	n / 4 mod 4    the bishop on a dark square: a, c, e or g
//	n / 16 mod 6   the queen: which of the six squares that are left
//	n / 96         the knights: which two of the five that are left
//
// The last three squares have rook, king and rook.
func StartFEN960(n int) (string, error) {
	if n < 0 || n >= Starts960 {
		return "", fmt.Errorf("Chess960 has no start position %d: they are numbered from 0 to %d", n, Starts960-1)
	}
	rank := []byte("........")
	put := func(piece byte, free int) { // on the free square of that number
		for i := range rank {
			if rank[i] != '.' {
				continue
			}
			if free == 0 {
				rank[i] = piece
				return
			}
			free--
		}
	}
	rank[n%4*2+1] = 'b'
	rank[n/4%4*2] = 'b'
	put('q', n/16%6)
	knights := [10][2]int{{0, 1}, {0, 2}, {0, 3}, {0, 4}, {1, 2}, {1, 3}, {1, 4}, {2, 3}, {2, 4}, {3, 4}}[n/96]
	put('n', knights[0])
	put('n', knights[1]-1) // one free square less
	for _, piece := range []byte("rkr") {
		put(piece, 0)
	}
	back := string(rank)
	return back + "/pppppppp/8/8/8/8/PPPPPPPP/" + strings.ToUpper(back) + " w KQkq - 0 1", nil
}
