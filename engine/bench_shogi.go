package engine

import "trefoil/game/shogi"

// benchSFENs are openings, middlegames and endings of games of shogi that the engine
// played against itself after a few random moves, a mate in one, a king that has
// entered and lacks points to declare, and most pieces in hand.
var benchSFENs = []string{
	shogi.StartSFEN,
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
