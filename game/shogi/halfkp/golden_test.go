package halfkp

// golden are values that YaneuraOu (33ccf1f9) printed for the files of the first of testNets.
var golden = []struct {
	sfen   string
	values [4]int
}{
	{"lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1", [4]int{1719, -4386, 120, 2800}},
	{"lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1", [4]int{1719, -4386, 120, 2800}},
	{"l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1", [4]int{1371, -3884, -178, 5384}},
	{"4rk2l/L3g1gs1/+Bp+N2p1pp/p1ppp1S2/1P1l3NP/P1+b1P1P2/3P1P1R1/3S1S3/3GKG2L w 2P2np 74", [4]int{1566, -3457, -204, 3965}},
	{"3gk4/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1", [4]int{1614, -2715, -81, 3325}},
	{"1+P1+L1+N1+S1/9/4k4/9/1+R5+B1/9/4K4/9/1+p1+l1+n1+s1 b - 1", [4]int{1265, -2820, -886, 4331}},
	{"9/9/9/3k5/9/5K3/9/9/9 b RB2G2S2N2L9Prb2g2s2n2l9p 1", [4]int{1851, -4348, -794, 3742}},
	{"8k/9/9/9/9/9/9/9/K8 w 2R2B4G4S4N4L18P 1", [4]int{806, -2154, -391, 3956}},
}
