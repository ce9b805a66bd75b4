package shogi

import "trefoil/game"

// threats returns, by Kind, the squares on which a piece of the side to move would be attacked by an enemy of a lower
// class, and all squares that the enemy attacks. The classes are pawns; lances and knights; silvers and all that move
// as golds; bishops and horses; rooks and dragons.
func (p *Position) threats() (to [16]Bitboard, all Bitboard) {
	them, occ := p.side^1, p.Occupied()
	own, a := p.colours[them&1], &around[them&1]
	var s Square
	all = p.kinds[Pawn].And(own).ahead(them)
	to[Lance], to[Knight] = all, all
	for b := p.kinds[Lance].And(own); b.Any(); {
		s, b = b.Next()
		all = all.Or(LanceAttacks(them, s, occ))
	}
	for b := p.kinds[Knight].And(own); b.Any(); {
		s, b = b.Next()
		all = all.Or(a[s&127].knight)
	}
	for _, k := range [...]Kind{Silver, Gold, ProPawn, ProLance, ProKnight, ProSilver} {
		to[k] = all
	}
	for b := p.kinds[Silver].And(own); b.Any(); {
		s, b = b.Next()
		all = all.Or(a[s&127].silver)
	}
	for b := p.kinds[golds].And(own); b.Any(); {
		s, b = b.Next()
		all = all.Or(a[s&127].gold)
	}
	to[Bishop], to[Horse] = all, all
	for b := p.kinds[Bishop].Or(p.kinds[Horse]).And(own); b.Any(); {
		s, b = b.Next()
		all = all.Or(BishopAttacks(s, occ))
	}
	for b := p.kinds[Horse].And(own); b.Any(); {
		s, b = b.Next()
		all = all.Or(a[s&127].king)
	}
	to[Rook], to[Dragon] = all, all
	for b := p.kinds[Rook].Or(p.kinds[Dragon]).And(own); b.Any(); {
		s, b = b.Next()
		all = all.Or(RookAttacks(s, occ))
	}
	for b := p.kinds[King].Or(p.kinds[Dragon]).And(own); b.Any(); {
		s, b = b.Next()
		all = all.Or(a[s&127].king)
	}
	return to, all
}

// attackedBy returns the squares that pieces of c attack, their own among them, and those that two or more attack.
func (p *Position) attackedBy(c Colour) (once, twice Bitboard) {
	occ, own := p.Occupied(), p.colours[c&1]
	once = p.kinds[Pawn].And(own).ahead(c)
	for b := own.Without(p.kinds[Pawn]); b.Any(); {
		var s Square
		s, b = b.Next()
		a := Attacks(c, KindOf(p.At(s)), s, occ)
		twice = twice.Or(once.And(a))
		once = once.Or(a)
	}
	return once, twice
}

// prey returns the enemies, except the king, that a piece of kind k of the side to move threatens by attacking them:
// those of a higher class and, except for pawns, lances and knights, those that are not guarded. reached is what the
// enemy attacks.
func (p *Position) prey(k Kind, reached Bitboard) Bitboard {
	enemy := p.colours[p.side&1^1].Without(p.kinds[King])
	big := p.kinds[Bishop].Or(p.kinds[Rook]).Or(p.kinds[Horse]).Or(p.kinds[Dragon]).And(enemy)
	loose := enemy.Without(reached)
	switch k {
	case Pawn:
		return enemy.Without(p.kinds[Pawn])
	case Lance, Knight:
		return p.kinds[golds].Or(p.kinds[Silver]).And(enemy).Or(big)
	case Bishop, Rook, Horse, Dragon:
		return loose
	case King:
		return Bitboard{}
	}
	return big.Or(loose)
}

// aims returns the squares on which a piece of kind k of the side to move attacks one of some enemies.
func (p *Position) aims(k Kind, enemies Bitboard) (from Bitboard) {
	them, occ := p.side^1, p.Occupied()
	if k == Pawn {
		return enemies.ahead(them)
	}
	for enemies.Any() {
		var s Square
		s, enemies = enemies.Next()
		from = from.Or(Attacks(them, k, s, occ)) // an attack is mutual
	}
	return from
}

// attackGain is what an attack on prey counts as, in centipawns.
const attackGain = 150

// ThreatBonus writes to gains[i] the value of the piece that the quiet move moves[i] saves: it was attacked by an enemy
// of a lower class, or by any and not guarded. The value of a piece that the move puts into such danger, where no other
// piece guards it, is subtracted, and attackGain added for a threat of its own.
func (p *Position) ThreatBonus(moves []game.Move, gains []int32) {
	to, reached := p.threats()
	guarded, twice := p.attackedBy(p.side)
	hanging := reached.Without(guarded)
	alone := reached.Without(twice) // a piece that moves there does not guard itself
	var aims [16]Bitboard           // of the kinds that are known
	known := 0
	for i, m := range moves[:min(len(moves), len(gains))] {
		k, s := KindOf(m.Piece())&15, target(m)
		before, after := to[k].Or(hanging), to[k].Or(alone)
		gain := int32(0)
		if m&drop != 0 {
			after = before
		} else if k != King && before.Has(origin(m)) {
			gain = int32(values[k])
		}
		if after.Has(s) {
			gain -= int32(values[k])
		}
		if gain >= 0 {
			k := KindOf(placed(m)) & 15
			if known>>k&1 == 0 {
				known |= 1 << k
				aims[k] = p.aims(k, p.prey(k, reached))
			}
			if aims[k].Has(s) {
				gain += attackGain
			}
		}
		gains[i] = gain
	}
}
