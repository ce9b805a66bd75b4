package main

import (
	"trefoil/game/shogi"
	shoginnue "trefoil/game/shogi/nnue"
	"trefoil/tools/net/internal/record"
	"trefoil/tools/net/internal/train"
)

// decodeShogi is the Decode of shogi.
func decodeShogi(rec []byte, to *train.Sample) error {
	b, err := record.ReadShogiBoard(rec)
	if err != nil {
		return err
	}
	to.Us = appendShogi(to.Us[:0], &b, b.Side)
	to.Them = appendShogi(to.Them[:0], &b, b.Side.Other())
	to.Bucket = 0
	to.Score = float32(record.TailOf(rec).Score)
	return nil
}

// appendShogi appends the features of a side.
func appendShogi(list []uint16, b *record.ShogiBoard, side shogi.Colour) []uint16 {
	mirrored := shoginnue.Mirrored(side, b.Kings[side])
	for i, s := range b.Squares[:b.N] {
		list = append(list, shoginnue.Feature(side, mirrored, b.Codes[i], s))
	}
	for c, hand := range b.Hands {
		for k, n := range hand {
			list = shoginnue.AppendHeld(list, side, shogi.Colour(c), shogi.Kind(k), 0, n)
		}
	}
	return list
}
