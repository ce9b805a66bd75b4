package main

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"

	"trefoil/search/proof"
)

// magic begins a file of samples.
const magic = "# trefoil samples of mates"

// A sample is a position that a search has visited, and the result of a search of its own.
type sample struct {
	problem   int // number of the position searched
	attacking bool
	result    proof.Result
	nodes     uint64
	features  []uint16
}

// write writes a sample as a line: its problem, A or D for the side to move, the result, nodes,
// features.
func (s *sample) write(w io.Writer) error {
	side := 'D'
	if s.attacking {
		side = 'A'
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%d %c %v %d", s.problem, side, s.result, s.nodes)
	for _, f := range s.features {
		fmt.Fprintf(&b, " %d", f)
	}
	_, err := fmt.Fprintln(w, b.String())
	return err
}

// parse reads a line of write.
func (sub *subject) parse(line string) (s sample, err error) {
	fields := strings.Fields(line)
	if len(fields) < 4 {
		return s, fmt.Errorf("%.80q is not problem, side, result, nodes, features", line)
	}
	if s.problem, err = strconv.Atoi(fields[0]); err != nil {
		return s, fmt.Errorf("problem %.20q is not a number", fields[0])
	}
	if s.attacking = fields[1] == "A"; !s.attacking && fields[1] != "D" {
		return s, fmt.Errorf("side %.20q is neither A nor D", fields[1])
	}
	for s.result = proof.Unknown; s.result.String() != fields[2]; s.result++ {
		if s.result == proof.Disproved {
			return s, fmt.Errorf("result %.20q is not unknown, proved or disproved", fields[2])
		}
	}
	if s.nodes, err = strconv.ParseUint(fields[3], 10, 64); err != nil {
		return s, fmt.Errorf("nodes %.20q is not a number", fields[3])
	}
	s.features, err = parseFeatures(fields[4:], sub.groups(s.attacking))
	return s, err
}

// parseFeatures reads one feature of each group.
func parseFeatures(fields []string, groups []int) (features []uint16, err error) {
	if len(fields) != len(groups) {
		return nil, fmt.Errorf("%d features instead of one of each of %d groups: gather again if the groups have changed",
			len(fields), len(groups))
	}
	at := 0
	for i, n := range groups {
		f, err := strconv.Atoi(fields[i])
		if err != nil || f < at || f >= at+n {
			return nil, fmt.Errorf("feature %.20q is not one of %d to %d, group %d: gather again if the groups have changed",
				fields[i], at, at+n-1, i+1)
		}
		features = append(features, uint16(f))
		at += n
	}
	return features, nil
}

// read returns the samples of a file; problems are counted from first on.
func (sub *subject) read(name string, first int) (all []sample, err error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	in := bufio.NewScanner(f)
	for line := 1; in.Scan(); line++ {
		if line == 1 {
			if !strings.HasPrefix(in.Text(), magic) {
				return nil, fmt.Errorf("%s is not a file of mates gather: it begins with %.40q", name, in.Text())
			}
			continue
		}
		s, err := sub.parse(in.Text())
		if err != nil {
			return nil, fmt.Errorf("%s:%d: %w", name, line, err)
		}
		s.problem += first
		all = append(all, s)
	}
	if err := in.Err(); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("%s has no samples", name)
	}
	return all, nil
}
