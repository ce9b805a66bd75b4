package shogi

// halos are the squares from which a piece of a colour may attack a square next to a king.
var halos [2][128]struct{ lance, knight, silver, gold, king, bishop, rook Bitboard }

func init() {
	for c := Black; c <= White; c++ {
		for king := range Nowhere {
			h := &halos[c][king]
			for b := around[0][king].king; b.Any(); {
				var s Square
				s, b = b.Next()
				a := &around[c^1][s]
				h.lance, h.knight = h.lance.Or(a.lance), h.knight.Or(a.knight)
				h.silver, h.gold, h.king = h.silver.Or(a.silver), h.gold.Or(a.gold), h.king.Or(a.king)
				h.bishop, h.rook = h.bishop.Or(a.bishop), h.rook.Or(a.rook)
			}
		}
	}
}

// guarded returns squares that c attacks if the enemy king on s is taken off the board: every such square
// next to s, and some others.
func (p *Position) guarded(s Square, c Colour) Bitboard {
	own, h, a := p.colours[c&1], &halos[c&1][s&127], &around[c&1]
	found := p.kinds[Pawn].And(own).ahead(c)
	var from Square
	for b := p.kinds[golds].And(own).And(h.gold); b.Any(); {
		from, b = b.Next()
		found = found.Or(a[from&127].gold)
	}
	for b := p.kinds[Silver].And(own).And(h.silver); b.Any(); {
		from, b = b.Next()
		found = found.Or(a[from&127].silver)
	}
	for b := p.kinds[Knight].And(own).And(h.knight); b.Any(); {
		from, b = b.Next()
		found = found.Or(a[from&127].knight)
	}
	bishops, rooks := p.kinds[Bishop].Or(p.kinds[Horse]).And(own), p.kinds[Rook].Or(p.kinds[Dragon]).And(own)
	for b := p.kinds[King].And(own).Or(p.kinds[Horse].And(bishops)).Or(p.kinds[Dragon].And(rooks)).And(h.king); b.Any(); {
		from, b = b.Next()
		found = found.Or(a[from&127].king)
	}
	occ := p.Occupied().Without(s.Bit())
	for b := rooks.And(h.rook); b.Any(); {
		from, b = b.Next()
		found = found.Or(RookAttacks(from, occ))
	}
	for b := bishops.And(h.bishop); b.Any(); {
		from, b = b.Next()
		found = found.Or(BishopAttacks(from, occ))
	}
	for b := p.kinds[Lance].And(own).And(h.lance); b.Any(); {
		from, b = b.Next()
		found = found.Or(LanceAttacks(c, from, occ))
	}
	return found
}
