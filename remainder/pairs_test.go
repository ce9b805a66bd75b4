package remainder

import (
	"context"
	"math/big"
	"strings"
	"testing"

	"trefoil/internal/tabletest"
)

func mustPairs(t testing.TB, slots, maxKey uint64) *Pairs[uint32, uint8] {
	t.Helper()
	p, err := NewPairs[uint32, uint8](slots, maxKey)
	tabletest.CloseAtEnd(t, p, err)
	return p
}

// TestTutorialSlots: the constant is the smallest prime above 2^23, and a slot has five bytes.
func TestTutorialSlots(t *testing.T) {
	for n := int64(1<<23 + 1); n <= TutorialSlots; n++ {
		if big.NewInt(n).ProbablyPrime(0) != (n == TutorialSlots) {
			t.Errorf("%d is not where the primes above 2^23 begin", n)
		}
	}
	p := mustPairs(t, TutorialSlots, connect4Key)
	if want := uint64(5 * 8_388_617); p.Bytes() < want || p.Bytes() > want+64 {
		t.Errorf("%d bytes", p.Bytes())
	}
	p.Store(connect4Key, 255)
	if v, ok := p.Probe(connect4Key); v != 255 || !ok {
		t.Errorf("%d, %v", v, ok)
	}
	if err := p.Clear(context.Background()); err != nil {
		t.Error(err)
	}
	if v, ok := p.Probe(connect4Key); v != 0 || ok {
		t.Errorf("after Clear: %d, %v", v, ok)
	}
}

// TestPairsOfOtherTypes: keys and values of any width have room, up to the last slot.
func TestPairsOfOtherTypes(t *testing.T) {
	const slots = 1<<21 + 1
	p, err := NewPairs[uint16, uint64](slots, slots<<16-1)
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	if want := uint64(slots*2 + 62 + slots*8); p.Bytes() != want {
		t.Errorf("%d bytes, want %d", p.Bytes(), want)
	}
	for _, key := range []uint64{0, slots - 1, slots<<16 - 1} {
		p.Store(key, 1<<63|key)
		if v, ok := p.Probe(key); !ok || v != 1<<63|key {
			t.Errorf("key %d: %#x, %v", key, v, ok)
		}
	}
}

func TestPairsRefusals(t *testing.T) {
	for _, c := range []struct {
		slots, maxKey uint64
		words         []string
	}{
		{131071, connect4Key, []string{"131071", "2^32", "562949953421311"}},
		{1 << 23, connect4Key, []string{"8388608", "even"}},
		{1 << 32, connect4Key, []string{"4294967296", "even"}}, // 1 << 23 + 9 by precedence
		{1<<60 + 1, connect4Key, []string{"1152921504606846977"}},
		{1<<45 + 1, connect4Key, []string{"refused"}},
		{1<<23 + 9, 1 << 63, []string{"9223372036854775808"}},
	} {
		p, err := NewPairs[uint32, uint8](c.slots, c.maxKey)
		if err == nil {
			p.Close()
			t.Errorf("%d slots: no error", c.slots)
			continue
		}
		for _, w := range c.words {
			if !strings.Contains(err.Error(), w) {
				t.Errorf("%d slots: %q lacks %q", c.slots, err, w)
			}
		}
	}
}
