package remainder_test

import (
	"fmt"

	"trefoil/remainder"
)

// maxKey is the largest key of a Connect Four position: 126 in each of seven fields of seven bits.
const maxKey = (1<<49 - 1) / 127 * 126

// Plan a table of 1 MiB, store a value, find it again, close the table.
func Example() {
	shape, err := remainder.Plan(1<<20, 4, maxKey)
	if err != nil {
		fmt.Println(err)
		return
	}
	table, err := remainder.New(shape, maxKey)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer table.Close()

	const key, score = 123_456_789_012, 18
	table.Store(remainder.Key{Low: key}, score) // a value is never 0
	value, ok := table.Probe(remainder.Key{Low: key})
	fmt.Println(value, ok)

	// This key is in the same bucket. It differs in the bits that are stored.
	value, ok = table.Probe(remainder.Key{Low: key + shape.Buckets})
	fmt.Println(value, ok)
	// And this key has the same low bits. It is in another bucket.
	value, ok = table.Probe(remainder.Key{Low: key + 1<<shape.KeyBits})
	fmt.Println(value, ok)
	// Output:
	// 18 true
	// 0 false
	// 0 false
}

// A table is exact if buckets × 2^bits exceeds the largest key and buckets is odd. New refuses
// any other shape.
func ExampleNew() {
	for _, shape := range []remainder.Shape{
		{Buckets: 1001, EntriesPerBucket: 2, KeyBits: 10},
		{Buckets: 1001, EntriesPerBucket: 2, KeyBits: 9},
		{Buckets: 1024, EntriesPerBucket: 2, KeyBits: 10},
	} {
		table, err := remainder.New(shape, 1_000_000)
		if err != nil {
			fmt.Println("error:", err)
			continue
		}
		fmt.Println("exact: 1001 × 2^10 =", shape.Buckets<<shape.KeyBits)
		table.Close()
	}
	// Output:
	// exact: 1001 × 2^10 = 1025024
	// error: remainder: 1001 buckets × 2^9 do not exceed the largest key, 1000000: two keys could not be distinguished
	// error: remainder: 1024 buckets are an even number, which shares a factor with 2^10: two keys could not be distinguished
}

// The larger the table, the fewer bits of a key it has to store.
func ExamplePlan() {
	for _, mib := range []uint64{1, 64, 1000} {
		s, err := remainder.Plan(mib<<20, 4, maxKey)
		fmt.Println(s.Bytes(), s.Buckets, s.KeyBits, err)
	}
	// Output:
	// 1047008 32719 34 <nil>
	// 67040672 2095021 28 <nil>
	// 1047526496 32735203 25 <nil>
}
