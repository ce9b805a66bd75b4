package shogi

import (
	_ "embed"

	"trefoil/engine/alphabetagame"
	"trefoil/engine/mates"
	"trefoil/engine/registry"
	rules "trefoil/game/shogi"
	"trefoil/search/alphabeta"
	"trefoil/search/mate"
)

// alphaBeta is what measurements with the alpha-beta search need. by returns what evaluates.
func alphaBeta(by func() evaluation) *registry.AlphaBeta {
	return &registry.AlphaBeta{Seed: rules.Seed, Setups: benchSFENs[:], Games: alphabetagame.Games(speedGames),
		NewRoots: func() func(string) (alphabeta.Position, error) {
			pool := alphabetagame.NewEvaluators(by())
			return func(sfen string) (alphabeta.Position, error) {
				p, err := rules.ParseSFEN(sfen)
				if err != nil {
					return nil, err
				}
				return root(p, pool), nil
			}
		}}
}

// speedGames are positions of games that the engine played against itself with 30,000 nodes a move, after
// four moves chosen at random among its best six.
//
//go:embed speedgames.txt
var speedGames string

// benches returns the benches of both searches.
func benches() []registry.Bench {
	return []registry.Bench{
		alphabetagame.NewBench(name, alphaBeta(OwnEvaluation)),
		alphabetagame.NewMateBench("mate-"+name, mateSFENs[:], func(sfen string) (mate.Problem, error) {
			p, err := rules.ParseSFEN(sfen)
			return mates.Shogi(p, nil), err
		}),
	}
}

// benchSFENs are openings, middlegames and endings of games of shogi that the engine
// played against itself after a few random moves, a mate in one, a king that has
// entered and lacks points to declare, and most pieces in hand.
var benchSFENs = [...]string{
	rules.StartSFEN,
	"lnsgkgsnl/7r1/ppppp2pp/6p2/9/1PP6/P2PPPPPP/6GR1/LNSGK1SNL b BPb 11",
	"1n1gkg1nl/lr1s1s1b1/2ppppppp/pp7/9/2P3PPP/PPBPPPN2/5S1RL/LNSGKG3 w - 16",
	"lnsg1k1n1/1r3sgbl/1ppppppp1/8p/p6P1/2P3P1R/PPBPPP2P/5S3/LNSGKG1NL b - 19",
	"lnsgkg2l/r4s3/1pp1ppnp1/p2p2pbp/5P3/PPP1P2RP/3P2PP1/1B1S5/LN1GKGSNL w - 26",
	"l2gkg2l/3s1s1r1/2np1pnpp/p1p1p1p2/1p3P1P1/P1PBSb3/1P1PP1P1P/2SKG2R1/LN1G3NL b - 31",
	"l2gkg1nl/1p1s1s3/2npppb1p/pPp3pp1/4r3P/PG4PR1/2NPPPNP1/1B1S1S3/L3KG2L w p 38",
	"lnsk2bnl/1rg3s2/pppp2g2/4ppppP/6P1R/1SP6/PP1PPPN2/5S3/LN1GKG2L b B2P 43",
	"l2gkg1nl/5s3/2Npppppb/2p5p/pp1sPn1P1/2P3P1P/PP1PSPSR1/4GKG2/L6NL w Rb 50",
	"ln6l/3sgskb1/p1pppp1p1/5n2p/Pp1PS4/7RP/BPP1PPSG1/L3G3+r/1N1GKN3 b Pl2p 55",
	"l6nl/1r1sgkg2/pp1p3p1/2p4sp/1P1P1NP2/P1P1S3P/4G1+b2/1SGK5/LN5RL w BN5Pp 62",
	"l3kg3/3sgs2l/p1nrpp1+Rb/2p3p2/Pp1nPP2p/L2pSSP2/NPPPB3P/3KG4/3G4L b N2P 67",
	"4rk2l/L3g1gs1/+Bp+N2p1pp/p1ppp1S2/1P1l3NP/P1+b1P1P2/3P1P1R1/3S1S3/3GKG2L w 2P2np 74",
	"ln4s1l/4gkgp1/r3ppn1p/2b3p2/1p7/p4B1RP/NPKPPGP2/5S1P1/L6NL b 2SPg4p 81",
	"ln1g4+B/2skgs3/1ppppp3/p4l2+R/6P2/P3nP3/S5G1P/4K4/L6+b1 w RS2NLPg7p 92",
	"ln5nl/2r3k2/3p1ssgp/ppp2pp2/2g4P1/4Sg2P/PP1P4N/2GK1BB2/LNS4RL b 4P2p 101",
	"+S3kl3/3sg1+P2/p1nppr2p/2p1np3/1p1n5/P1P4+RP/1PSPPP3/2GKG2b1/LN5+p1 w GS2L2Pb 112",
	"+P2r3n1/3pg1kb1/p1+BL2sp1/1P2+Spp1l/P2S3P1/1g2PPP2/NgnP1SN2/4KG3/L6RL b 3P2p 121",
	"ln5n1/5r3/4p1k2/p3P1gp1/np1P1L3/S1S1g3+r/PP1B1K1+b1/2S6/LN7 b 2G2Psl8p 137",
	"6k2/1+S1+P+P1g2/4+Lp+b2/gp4+r1p/6p1P/1+b1p5/2+p1PPPP1/+r3SSGG1/3PL1KNL b 2Ps3nl2p 151",
	"4k4/9/4P4/9/9/9/9/9/4K4 b G2r2b3g4s4n4l17p 1",
	"+P+P+P1K1+P+P+P/+R1+B1G1S1L/9/9/9/9/9/9/5k3 b 5P 1",
	"4k4/9/9/9/4p4/4P4/9/9/4K4 b RB2G2S2N2L8Prb2g2s2n2l8p 1",
}

// mateSFENs are positions with mates of 3 to 25 moves, of games that the engine played against
// itself after ten random moves.
var mateSFENs = [...]string{
	"l4GBnl/3+R2s2/p4pgk1/2p2spp1/P1+R2N2p/2P3P1P/1P2gP3/LGKs+s4/1N6L b B6Pn 133",
	"4+Rs3/2+N1p1skl/5pgp1/+B7P/6p2/P4s1P1/3g1P3/L2+p2R1L/5K1N1 b B2GSNL6Pn3p 129",
	"+S5s+R1/7+L1/1pp2+L3/p3S1pk1/2+b4g1/P5P2/1P2+r2G1/5P1G1/2sg2K2 w NL4Pb3nl6p 154",
	"ln2k4/1l1g5/2pp2GP1/4pP1p1/p1P3Nb1/3PP4/P+pNS2P2/2GKGS3/L6+l1 b RBSN3Prs2p 139",
	"l6n1/2+R2sk1l/p1+P3gp1/4p1p1p/Pp2s2P1/8P/1PGP2P2/L1KG4L/1NS4N1 b BGN2Prbs3p 85",
	"ln1B3n1/4gg1+Rl/p3s1ppp/3ppp3/P4Pk1P/6N1B/1+p1+RP1P2/1S1KG4/LG6L b SN4Psp 115",
	"ln7/2kp5/p8/4p3l/PG1B5/1P7/KR+l4+p1/2g6/L8 w rb2g4s3n12p 166",
	"1n1kg+R3/lrg3+PP1/p1p1s1+L2/3ppp3/P6np/1PPSP1s2/2SP1P2P/2KG5/LNG4NL b B3Pb 67",
	"7+R1/2G3g1l/3pp1s1k/5pppp/2PPP4/L2G2P1P/1PR6/3+s2K1L/1+p5N1 b 2BG2S3NL3P2p 139",
	"ln7/4kg1S1/3gp1n2/pp4pp1/3p4l/P2s3P1/1P2PPPR1/3+s1GS2/L+r2L1KN1 w Bbgn6p 82",
	"7r+P/l1g2gk2/ppn1p1s2/1sp2pP1K/P2p1L3/1SP1P2P1/1P1P2g2/3G1+r3/LN7 w BSNLPbn3p 112",
	"+Nn4g1l/9/1B1p1p3/3s1Pp1p/p3p2k1/PPG3P1P/1KP2G1+r1/1N1+r5/LSb5+s w Pgsn2l5p 154",
	"+R1s4nl/1s1G3k1/3p1Pn1p/pp3Spp1/2PNp3P/P4p3/1PSPP1P2/L1KG1G1R1/7NL b 2BGLPp 85",
	"1B+N4Gl/9/3+Ngk1s1/4p2+rp/1nPP5/4P3P/1+l3+r1+p1/3G2pp1/1NSK4L w BS5Pgsl4p 112",
	"ln1B4l/4rg3/p1ps1kn1p/1p2pgp2/8P/PPP1Pp3/3G3S1/1SS1+b4/L2g2KNL w rn6p 82",
	"3+N1ks1l/3Pg4/3s1gp2/2pppplp1/8p/PgP1R2+B1/s2GP1P1P/2K2+n2L/1L1S1+r3 w Nbn5p 136",
	"ln2G+N1Kl/1k2s2G1/2ps1N+r2/pS2bPp2/2PP5/P7p/1P6b/3+l5/1N7 w RG2Pgsl7p 160",
	"+P6nl/l6k1/1p2ns3/p2pBp1pP/3g2P2/P3P2P1/1P1P1P+b2/3G5/L1K4NL b RGSN4Prg2s 133",
	"lnkg1+N+P2/4g3+B/p1ppp3p/4+bS3/5s+R2/1PP1P4/P6+pP/KS+l1s4/LN3P2L w RNP2g4p 154",
	"7n1/1+RG2g1kl/3pp1s2/5pppp/2PPP4/L2G2P1P/1P3R3/4K3L/1+ps4N1 b 2BG2S2NL3P2p 127",
	"1+R5n1/2G3gkl/3pp1s2/5pppp/2PPP4/L2G2P1P/1P+p2R3/6K1L/1+ps4N1 b 2BG2S2NL3Pp 133",
	"1B+N4Gl/9/3+Ngk1s1/4p2+rp/1nPP5/4P3P/1+l2G+r1+p1/5spp1/1NSK4L w BGSL5P4p 118",
	"4n1r1l/1+B1+NSnk2/1p2+Ppsp1/p5p2/1P3P1Pp/P+p1n2P1P/7S1/L2Sg1G2/2R3K1L b B2GL4P 121",
}
