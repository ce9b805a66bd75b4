package zobrist

// A Reseeding turns keys into the keys of the same positions with words of another seed.
//
// It is a random linear map over GF(2), drawn from that seed, which keeps bit 0. A key is the XOR of
// words, so its image is the XOR of their images: random words. The difference between two keys
// becomes a random difference, independent of that under any other seed. Positions need not be set
// up again with other words, and nothing in a search changes but which keys coincide.
type Reseeding struct {
	bytes [8][256]uint64 // images of the values of each byte of a key
}

// NewReseeding returns the map of the seed of that name.
func NewReseeding(seed string) *Reseeding {
	source, r := NewSource(seed), new(Reseeding)
	for i := range r.bytes {
		images := &r.bytes[i]
		for bit := range 8 {
			image := source.Word()
			if i == 0 && bit == 0 {
				image = Side
			}
			for value := range 1 << bit {
				images[1<<bit+value] = images[value] ^ image
			}
		}
	}
	return r
}

// Key returns the image of a key. A nil Reseeding returns the key.
func (r *Reseeding) Key(key uint64) uint64 {
	if r == nil {
		return key
	}
	image := uint64(0)
	for i := range r.bytes {
		image ^= r.bytes[i][key>>(8*i)&255]
	}
	return image
}
