package record

import (
	"encoding/binary"
	"math/rand/v2"
	"strings"
	"testing"

	"trefoil/game/ultimate"
)

func TestRoundTripOfUltimate(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for range 60 {
		p := ultimate.Start()
		for stones := 0; ; stones++ {
			moves := p.Moves(nil)
			if len(moves) == 0 {
				break
			}
			rec := make([]byte, UltimateBytes)
			PutUltimate(rec, &p)
			again, err := Ultimate(rec)
			if err != nil || again != p || UltimatePieces(rec) != stones {
				t.Fatalf("%s became %s with %d stones, want %d: %v", p, again, UltimatePieces(rec), stones, err)
			}
			p = p.Play(moves[rng.IntN(len(moves))])
		}
	}
}

func TestDamagedUltimate(t *testing.T) {
	start := ultimate.Start()
	put := func(board, code int) func([]byte) {
		return func(rec []byte) { binary.LittleEndian.PutUint16(rec[2*board:], uint16(code)) }
	}
	for want, change := range map[string]func([]byte){
		"side 2":         func(rec []byte) { rec[18] = 2 },
		"play on 10":     func(rec []byte) { rec[19] = 10 },
		"board c: code":  put(2, 19683),
		"both sides":     put(8, 13+26*27), // XXXOOO...
		"marked":         func(rec []byte) { put(4, 13)(rec); rec[19] = 4 },
		"game is over":   func(rec []byte) { put(0, 13)(rec); put(4, 13)(rec); put(8, 13)(rec) },
		"3 half points":  func(rec []byte) { Tail{Half: 3}.Put(rec) },
		"side 255, boar": func(rec []byte) { rec[18] = 255 },
	} {
		rec := make([]byte, UltimateBytes)
		PutUltimate(rec, &start)
		change(rec)
		if p, err := Ultimate(rec); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", p, err, want)
		}
	}
}
