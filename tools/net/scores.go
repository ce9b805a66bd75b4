package main

import "math"

// scores count positions by score, in centipawns from the side that is not behind, and by result.
type scores [1 << 11][3]int

// add counts a position. Scores beyond the last class do not count.
func (s *scores) add(score, half int) {
	if score < 0 {
		score, half = -score, 2-half
	}
	if score < len(s) {
		s[score][half]++
	}
}

// The bounds of scores.fit.
const minK, maxK = 50, 2000

// fit returns the K, in whole centipawns, with the least squared error of σ(score/K) as the expected result.
func (s *scores) fit() float64 {
	low, high := minK, maxK // the error has one minimum
	for low < high {
		if k := (low + high) / 2; s.loss(float64(k)) <= s.loss(float64(k+1)) {
			high = k
		} else {
			low = k + 1
		}
	}
	return float64(low)
}

// loss returns the sum of the squared errors.
func (s *scores) loss(k float64) (sum float64) {
	for score, counts := range s {
		expected := 1 / (1 + math.Exp(-float64(score)/k))
		for half, n := range counts {
			e := expected - float64(half)/2
			sum += float64(n) * e * e
		}
	}
	return sum
}
