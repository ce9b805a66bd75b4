package book

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"trefoil/game/connect4"
	"trefoil/internal/container"
)

// forge writes a book with right checksums.
func forge(t *testing.T, path string, h header, words []uint64) {
	t.Helper()
	err := container.Write(container.Replace(path), container.Book, h, func(w *container.Writer) (any, error) {
		var block []byte
		for _, word := range words {
			block = binary.LittleEndian.AppendUint64(block, word)
		}
		if len(block) == 0 {
			return summary{}, nil
		}
		return summary{uint64(len(words))}, w.WriteBlock(block)
	})
	if err != nil {
		t.Fatal(err)
	}
}

// Verify accepts a book, and passes on the scores of its last ply. It refuses a book in which any other
// score is another one, a position is missing, or one is too many.
func TestVerify(t *testing.T) {
	path := made(t, 2)
	last := map[uint64]int{}
	each := func(p connect4.Position, score int) error {
		last[canonical(p)] = score
		return nil
	}
	verify := func() error {
		clear(last)
		_, err := Verify(context.Background(), container.File(path), each)
		return err
	}
	if err := verify(); err != nil || len(last) != 25 {
		t.Fatal(err, len(last))
	}
	for key, score := range last {
		if want, _ := parity(context.Background(), connect4.Standard.PositionOf(0, key)); score != want {
			t.Errorf("%d: %d, want %d", key, score, want)
		}
	}
	b, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	h, words := header{Ply: 2}, b.words
	refused := func(h header, words []uint64, says string) {
		t.Helper()
		forge(t, path, h, words)
		err := verify()
		if wrong := (*container.Error)(nil); !errors.As(err, &wrong) || wrong.Path != path ||
			!strings.Contains(err.Error(), says) {
			t.Errorf("%v, want %q", err, says)
		}
	}
	accepted := 0
	for i, w := range words {
		refused(h, slices.Delete(slices.Clone(words), i, i+1), " is missing")
		other := slices.Clone(words)
		other[i]++
		if connect4.Standard.PositionOf(0, w>>8).Ply() < 2 {
			refused(h, other, "but that of its best move")
			continue
		}
		forge(t, path, h, other)
		if verify() == nil { // a score of the last ply that is not the best one
			accepted++
		}
		other[i] = w | 0xff // either of two errors comes first
		refused(h, other, "score is ")
	}
	if accepted == 0 || accepted == 25 {
		t.Errorf("%d changes of the last ply are accepted", accepted)
	}
	refused(h, append(slices.Clone(words), 1<<55),
		fmt.Sprintf("position %d, key %d, cannot arise within 2 plies", len(words)+1, uint64(1)<<47))
	refused(header{Ply: 14}, words, " is missing")
	refused(header{Ply: 14}, nil, "position startpos is missing")
	refused(header{Ply: 0}, words, "cannot arise within 0 plies")

	// Of the empty board alone no score is wrong that a game can have.
	for _, score := range []int{-21, 0, 21} {
		forge(t, path, header{Ply: 0}, []uint64{word(0, score)})
		if err := verify(); err != nil || last[0] != score {
			t.Errorf("score %d: %v", score, err)
		}
	}
	for _, score := range []int{-22, 22} {
		refused(header{Ply: 0}, []uint64{word(0, score)}, fmt.Sprintf("score is %d, expected -21 to 21", score))
	}

	// After one stone the other side has one stone less to win with.
	for _, least := range []int{-20, -21} {
		book := []uint64{word(0, -least)}
		for _, p := range children(connect4.Standard.Start())[:4] {
			book = append(book, word(canonical(p), least))
		}
		slices.Sort(book)
		if least == -21 {
			refused(header{Ply: 1}, book, "score is -21, expected -20 to 21")
		} else if forge(t, path, header{Ply: 1}, book); verify() != nil {
			t.Error(verify())
		}
	}

	forge(t, path, h, words)
	ctx, stop := context.WithCancel(context.Background())
	stop()
	if _, err := Verify(ctx, container.File(path), each); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}
