package proof

import "flag"

// ReportNodes is by how much each thread may exceed a limit of nodes.
const ReportNodes = reportNodes

// ParamFlags defines a flag for each constant of a search.
func ParamFlags() *params {
	p := new(params)
	flag.Uint64Var(&p.epsilon, "epsilon", defaultParams.epsilon, "of the test of hard positions, in 1/16")
	flag.Uint64Var(&p.share, "share", defaultParams.share, "of the test of hard positions, in 1/16")
	flag.Uint64Var(&p.quantum, "quantum", defaultParams.quantum, "of the test of hard positions")
	flag.Uint64Var(&p.minInFlight, "mininflight", defaultParams.minInFlight, "of the test of hard positions")
	flag.Uint64Var(&p.virtualLoss, "virtualloss", defaultParams.virtualLoss, "of the test of hard positions, in 1/16")
	return p
}

// SetParams changes the constants of later searches.
func (s *Solver) SetParams(p *params) { s.params = *p }
