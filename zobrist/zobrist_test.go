package zobrist

import (
	"math/bits"
	"testing"
)

// firstWords returns the first n words of a seed.
func firstWords(seed string, n int) []uint64 {
	words := make([]uint64, n)
	NewSource(seed).Fill(words)
	return words
}

// TestPinned: keys may be saved in files, so the words must never change.
func TestPinned(t *testing.T) {
	for _, c := range []struct {
		seed string
		n    int
		want uint64
	}{
		{"", 1, 0x21382ef092ed7068},
		{"trefoil chess", 1, 0xa4100c8488e06184},
		{"trefoil chess", 2, 0x5531dec9acf4e5a0},
		{"trefoil chess", 792, 0x666b6b8205719374},
		{"trefoil shogi", 1, 0x892e5a4d5141e0f8},
	} {
		if got := firstWords(c.seed, c.n)[c.n-1]; got != c.want {
			t.Errorf("word %d of %q is %#016x, want %#016x", c.n, c.seed, got, c.want)
		}
	}
	if got := Mix(1); got != 0xe220a8397b1dcdae {
		t.Errorf("Mix(1) = %#016x", got)
	}
}

// sets are the seeds and sizes of sets of words: a chess game's, a shogi game's.
var sets = []struct {
	seed string
	n    int
}{{"trefoil chess", 792}, {"trefoil shogi", 30*81 + 14*20}, {"", 1000}}

// TestSide: only Side has bit 0.
func TestSide(t *testing.T) {
	for _, set := range sets {
		for i, w := range firstWords(set.seed, set.n) {
			if w&Side != 0 {
				t.Fatalf("word %d of %q has bit 0", i, set.seed)
			}
		}
	}
	for x := range uint64(10000) {
		if Mix(x)&Side != 0 {
			t.Fatalf("Mix(%d) has bit 0", x)
		}
	}
}

// TestIndependent: no XOR of one to four words of a set is 0, and the set spans all 63 bits;
// so do the parts of the words that a table takes its index and check bits from.
func TestIndependent(t *testing.T) {
	for _, set := range sets {
		words := firstWords(set.seed, set.n)
		pairs := map[uint64]bool{0: true}
		for i, a := range words {
			if pairs[a] {
				t.Fatalf("%q: up to three words cancel", set.seed)
			}
			for _, b := range words[:i] {
				if pairs[a^b] {
					t.Fatalf("%q: up to four words cancel", set.seed)
				}
				pairs[a^b] = true
			}
		}
		for _, part := range []uint64{^Side, 1<<33 - 2, 1<<22 - 2, 1<<63 | (1<<63 - 1<<43)} {
			if got, want := rank(words, part), bits.OnesCount64(part); got != want {
				t.Errorf("%q: rank %d of %d in %#x", set.seed, got, want, part)
			}
		}
	}
}

// rank returns the dimension over GF(2) of the parts of words under a mask.
func rank(words []uint64, mask uint64) (n int) {
	var basis [64]uint64
	for _, w := range words {
		w &= mask
		for w != 0 {
			lead := bits.Len64(w) - 1
			if basis[lead] == 0 {
				basis[lead] = w
				n++
				break
			}
			w ^= basis[lead]
		}
	}
	return n
}

// TestBalance: each bit is set in about half of the words, and each two bits
// agree in about half of them (5 standard deviations).
func TestBalance(t *testing.T) {
	const n = 1 << 16
	words := firstWords("balance", n)
	near := func(count int) bool { d := 2*count - n; return d*d < 25*n }
	for i := 1; i < 64; i++ {
		for j := 0; j < i; j++ {
			count := 0
			for _, w := range words {
				count += int((w>>i ^ w>>j) & 1)
			}
			if !near(count) {
				t.Errorf("bits %d and %d differ in %d of %d words", i, j, count, n)
			}
		}
	}
}

// TestSources: sources of one seed agree, read by Fill or Word; different seeds share no word.
func TestSources(t *testing.T) {
	src := NewSource("a")
	fill := make([]uint64, 5)
	src.Fill(fill)
	for i, w := range firstWords("a", 6) {
		if i < 5 && fill[i] != w || i == 5 && src.Word() != w {
			t.Errorf("word %d differs", i)
		}
	}
	seen := map[uint64]string{}
	for _, seed := range []string{"", "a", "b", "ab", "ba", "a ", "trefoil chess", "trefoil shogi"} {
		for _, w := range firstWords(seed, 1000) {
			if seen[w] != "" && seen[w] != seed {
				t.Errorf("%q and %q share a word", seed, seen[w])
			}
			seen[w] = seed
		}
	}
}

// TestMix: one changed bit of x changes about half of the bits of Mix(x).
func TestMix(t *testing.T) {
	if Mix(0) != 0 {
		t.Error("Mix(0) is not 0")
	}
	for i := range 64 {
		changed := 0
		for x := range uint64(256) {
			changed += bits.OnesCount64(Mix(x) ^ Mix(x^1<<i))
		}
		if mean := float64(changed) / 256; mean < 29 || mean > 34 {
			t.Errorf("bit %d changes %.1f bits", i, mean)
		}
	}
}

// TestReseeding: the map is linear, keeps bit 0, and gives words that span the bits of an index and
// the check bits.
func TestReseeding(t *testing.T) {
	words := firstWords("trefoil chess", 792)
	r, other := NewReseeding("a"), NewReseeding("b")
	var images []uint64
	for i, w := range words {
		image := r.Key(w)
		images = append(images, image)
		if before := words[max(0, i-1)]; r.Key(w^before^Side) != image^r.Key(before)^Side {
			t.Fatalf("the image of words %d and %d is not the XOR of their images", i-1, i)
		}
		if image&Side != 0 || image == w || image == other.Key(w) {
			t.Fatalf("word %d is %#x, images %#x and %#x", i, w, image, other.Key(w))
		}
	}
	for _, part := range []uint64{1<<33 - 2, 1<<63 | (1<<63 - 1<<43)} {
		if got, want := rank(images, part), bits.OnesCount64(part); got != want {
			t.Errorf("rank %d of %d in %#x", got, want, part)
		}
	}
	for bit := range 64 {
		if r.Key(1<<bit) == 0 {
			t.Errorf("bit %d has no image", bit)
		}
	}
	if none := (*Reseeding)(nil); none.Key(words[0]) != words[0] || r.Key(0) != 0 || r.Key(Side) != Side {
		t.Error("nil is not the identity, or 0 or Side changes")
	}
}
