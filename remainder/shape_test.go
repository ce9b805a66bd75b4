package remainder

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"
)

const connect4Key = 1<<49 - 1

// anyKey is the largest key for which every odd number has exact remainders.
const anyKey = math.MaxInt64

// TestModulus compares with %: around multiples of the modulus and at random, for moduli next to
// powers of two and at random.
func TestModulus(t *testing.T) {
	numbers := []uint64{3, 5, 7, 9, 1001, TutorialSlots, 1<<49 - 1, 1<<62 + 1, math.MaxInt64, math.MaxInt64 - 2}
	for bits := 2; bits < 63; bits++ {
		numbers = append(numbers, 1<<bits-1, 1<<bits+1, 1<<bits|rand.Uint64N(1<<bits)|1)
	}
	for _, n := range numbers {
		m, m32 := newModulus(n, 1), newModulus(n, 32)
		check := func(x uint64) {
			if (x <= anyKey || divides(n, x)) && m.of(x) != x%n {
				t.Fatalf("%d mod %d: %d, want %d", x, n, m.of(x), x%n)
			}
			if (x <= anyKey || divides(n, x)) && n < 1<<58 && m32.of(x) != x%n*32 {
				t.Fatalf("%d mod %d, times 32: %d, want %d", x, n, m32.of(x), x%n*32)
			}
		}
		last := anyKey / n
		for _, quotient := range []uint64{0, 1, 2, last / 2, last - 1, last, rand.Uint64N(last + 1),
			1 << 56 / n, 1 << 49 / n} {
			for d := range uint64(5) {
				check(quotient*n + d - 2)
			}
		}
		for range 1000 {
			check(rand.Uint64() >> (1 + rand.UintN(63)))
		}
		check(anyKey)
		check(math.MaxUint64)
		check(math.MaxUint64 - math.MaxUint64%n - 1)
		check(math.MaxUint64 - math.MaxUint64%n)
		check(1<<56 - 1)
	}
}

// TestPairsOfRemainders: below B·2^k every key has a pair of its own, and B·2^k has the pair of 0.
// With an even B this does not hold.
func TestPairsOfRemainders(t *testing.T) {
	count := func(b, keys uint64, bits uint) int {
		pairs := map[[2]uint64]bool{}
		for x := range keys {
			pairs[[2]uint64{x % b, x & (1<<bits - 1)}] = true
		}
		return len(pairs)
	}
	for b := uint64(1); b < 100; b += 2 {
		for bits := uint(1); bits < 6; bits++ {
			if n := count(b, b<<bits, bits); n != int(b<<bits) {
				t.Errorf("B = %d, k = %d: %d pairs", b, bits, n)
			}
			if n := count(b, b<<bits+1, bits); n != int(b<<bits) {
				t.Errorf("B = %d, k = %d: one key more makes %d pairs", b, bits, n)
			}
			if n := count(b+1, (b+1)<<bits, bits); n > int((b+1)<<bits)/2 {
				t.Errorf("B = %d, k = %d: %d pairs", b+1, bits, n)
			}
		}
	}
}

func TestRefusals(t *testing.T) {
	for _, c := range []struct {
		shape  Shape
		maxKey uint64
		words  []string // nil if it is accepted
	}{
		{Shape{131073, 1, 32}, connect4Key, nil},
		{Shape{131071, 1, 32}, connect4Key, []string{"131071", "2^32", "562949953421311"}},
		{Shape{131072, 1, 40}, connect4Key, []string{"131072", "even"}},
		{Shape{0, 1, 40}, connect4Key, []string{"0 buckets", "even"}},
		{Shape{1, 1, 56}, 7, []string{"1 buckets", "3"}},
		{Shape{1001, 2, 10}, 1001<<10 - 1, nil},
		{Shape{1001, 2, 10}, 1001 << 10, []string{"1001", "2^10", "1025024"}},
		{Shape{1001, 3, 10}, 7, []string{"3 entries per bucket", "New128"}},
		{Shape{1001, 0, 10}, 7, []string{"0 entries per bucket"}},
		{Shape{1001, -1, 10}, 7, []string{"-1 entries per bucket"}},
		{Shape{1001, 8, 10}, 7, []string{"8 entries per bucket"}},
		{Shape{1001, 4, 0}, 7, []string{"0 key bits", "1 to 56"}},
		{Shape{1001, 4, 57}, 7, []string{"57 key bits", "1 to 56"}},
		{Shape{1003, 4, 56}, math.MaxUint64, nil},
		{Shape{1007, 4, 56}, math.MaxUint64, []string{"18446744073709551615", "by 1007 buckets", "2^63"}},
		{Shape{1<<40 + 1, 4, 56}, 7, []string{"refused", "33554432 MiB"}},
		{Shape{math.MaxUint64, 4, 56}, 7, []string{"18446744073709551615"}},
		{Shape{1<<61 + 1, 4, 56}, 7, []string{"2305843009213693953"}},
	} {
		table, err := New(c.shape, c.maxKey)
		if err == nil {
			table.Close()
		}
		if (err == nil) != (c.words == nil) {
			t.Errorf("%+v up to %d: %v", c.shape, c.maxKey, err)
			continue
		}
		for _, w := range c.words {
			if !strings.Contains(err.Error(), w) {
				t.Errorf("%+v up to %d: %q lacks %q", c.shape, c.maxKey, err, w)
			}
		}
	}
}

// TestPlan: every plan is valid, no larger than requested, at most three thousandths smaller from
// 1 MiB on, and has no key bit more than necessary.
func TestPlan(t *testing.T) {
	plan := func(bytes uint64, perBucket int, maxKey uint64) {
		s, err := Plan(bytes, perBucket, maxKey)
		if err == nil {
			err = s.check(Key{0, maxKey})
		}
		if err != nil {
			t.Fatalf("%d bytes, %d entries per bucket: %v", bytes, perBucket, err)
		}
		if s.EntriesPerBucket != perBucket || s.Bytes() > bytes || bytes >= 1<<20 && s.Bytes() < bytes-bytes*3/1000 {
			t.Fatalf("%d bytes: %+v has %d", bytes, s, s.Bytes())
		}
		if s.KeyBits > 1 && s.Buckets<<(s.KeyBits-1) > maxKey {
			t.Fatalf("%d bytes, %d entries per bucket: %d key bits where one less is exact", bytes,
				perBucket, s.KeyBits)
		}
	}
	for _, perBucket := range []int{1, 2, 4} {
		for mib := uint64(1); mib <= 2000; mib++ {
			plan(mib<<20, perBucket, connect4Key)
		}
		for bytes := uint64(96); bytes < 10_000; bytes += 8 {
			plan(bytes, perBucket, connect4Key)
		}
		plan(1<<45, perBucket, anyKey)
		plan(1<<45, perBucket, math.MaxUint64)
	}
	if s, err := Plan(1<<20, 1, 7); err != nil || s.KeyBits != 1 {
		t.Errorf("8 keys for a large table: %+v, %v, want one bit of a key", s, err)
	}
	for _, c := range []struct {
		bytes, maxKey uint64
		perBucket     int
		words         []string
	}{
		{0, 7, 1, []string{"0 bytes", "24"}},
		{95, 7, 4, []string{"95 bytes", "96", "4 entries"}},
		{1 << 20, 7, 5, []string{"5 entries per bucket"}},
		{1 << 10, anyKey, 1, []string{"2^56", "9223372036854775807"}},
		{math.MaxUint64, 7, 1, []string{"more than memory"}},
	} {
		_, err := Plan(c.bytes, c.perBucket, c.maxKey)
		for _, w := range c.words {
			if err == nil || !strings.Contains(err.Error(), w) {
				t.Errorf("%d bytes, %d entries per bucket, keys to %d: %v lacks %q", c.bytes,
					c.perBucket, c.maxKey, err, w)
			}
		}
	}
}

// TestPlanSpreads: keys of seven fields of seven bits, such as the keys of Connect Four, fill the buckets
// like random keys; with one less than a power of two of buckets they do not.
func TestPlanSpreads(t *testing.T) {
	const perBucket, bits = 4, 18
	rnd := rand.New(rand.NewPCG(49, 7))
	distinct := map[uint64]bool{}
	for len(distinct) < perBucket<<bits/2 {
		key := uint64(0)
		for field := 0; field < 49; field += 7 {
			n := rnd.IntN(4) // 2^n - 1 for all stones, and those of one side
			key |= (1<<n - 1 + rnd.Uint64N(1<<n)) << field
		}
		distinct[key] = true
	}
	lost := func(buckets uint64) (n int) {
		count := make([]uint8, buckets)
		for key := range distinct {
			if count[key%buckets]++; count[key%buckets] > perBucket {
				n++
				count[key%buckets] = perBucket
			}
		}
		return n
	}
	plan, err := Plan(perBucket*wordBytes<<bits, perBucket, connect4Key)
	if err != nil {
		t.Fatal(err)
	}
	// A Poisson distribution of that mean, above perBucket.
	mean, want := float64(len(distinct))/float64(plan.Buckets), 0.0
	for i, p := 1, math.Exp(-mean); i < 50; i++ {
		p *= mean / float64(i)
		want += p * float64(max(i-perBucket, 0)) * float64(plan.Buckets)
	}
	got, round := lost(plan.Buckets), lost(1<<bits-1)
	t.Logf("%d keys: %d buckets lose %d, 2^%d - 1 lose %d; %.0f at random", len(distinct),
		plan.Buckets, got, bits, round, want)
	if float64(got) > 1.5*want || float64(round) < 3*want {
		t.Error("the distribution is not as expected")
	}
}
