package main

import (
	"trefoil/game/chess"
	chessnnue "trefoil/game/chess/nnue"
	"trefoil/tools/net/internal/record"
	"trefoil/tools/net/internal/train"
)

// decodeChess is the Decode of chess.
func decodeChess(rec []byte, to *train.Sample) error {
	b, err := record.ChessBoard(rec)
	if err != nil {
		return err
	}
	us, them := b.Side, b.Side.Other()
	usSee := chessnnue.Orientation(us, b.Kings[us])
	themSee := chessnnue.Orientation(them, b.Kings[them])
	to.Us, to.Them = to.Us[:0], to.Them[:0]
	for i, s := range b.Squares[:b.N] {
		c, k := chess.Colour(b.Codes[i]&1), chess.Kind(b.Codes[i]>>1)
		to.Us = append(to.Us, chessnnue.Feature(us, usSee, c, k, s))
		to.Them = append(to.Them, chessnnue.Feature(them, themSee, c, k, s))
	}
	to.Bucket = chessnnue.Bucket(len(to.Us))
	to.Score = float32(record.TailOf(rec).Score)
	return nil
}
