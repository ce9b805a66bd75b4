package batch

import (
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"

	"trefoil/internal/cli"
)

// Shard is part I of N of the positions, from 1 on; the zero value stands for all positions.
type Shard struct{ I, N int }

// MaxShards is the largest number of shards.
const MaxShards = 1_000_000

// String is the text that UnmarshalText reads, "" for all positions.
func (s Shard) String() string {
	if s.N == 0 {
		return ""
	}
	return fmt.Sprintf("%d/%d", s.I, s.N)
}

// has reports whether the shard has the position of a number.
func (s Shard) has(number int) bool { return s.N == 0 || (number-1)%s.N == s.I-1 }

// UnmarshalText reads I/N, auto/N or auto.
func (s *Shard) UnmarshalText(text []byte) error {
	part, of, found := strings.Cut(string(text), "/")
	n := 0
	if found {
		var err error
		if n, err = cli.Whole([]byte(of), 1, MaxShards); err != nil {
			return fmt.Errorf("%.40q: the number of shards: %w", text, err)
		}
	}
	if part == "auto" {
		i, n, err := currentTask(n)
		if err != nil {
			return fmt.Errorf("%s: %w", text, err)
		}
		*s = Shard{i, n}
		return nil
	}
	if !found {
		return fmt.Errorf("%.40q is not I/N, auto/N or auto", text)
	}
	i, err := cli.Whole([]byte(part), 1, n)
	if err != nil {
		return fmt.Errorf("%.40q: %w", text, err)
	}
	*s = Shard{i, n}
	return nil
}

// The variables by which a task of an array of Slurm or of an indexed job of Kubernetes knows which one it is.
const (
	slurmID    = "SLURM_ARRAY_TASK_ID"
	slurmMin   = "SLURM_ARRAY_TASK_MIN"
	slurmStep  = "SLURM_ARRAY_TASK_STEP"
	slurmCount = "SLURM_ARRAY_TASK_COUNT"
	kubernetes = "JOB_COMPLETION_INDEX"
)

// currentTask returns the shard of the task that this process is. n is the number of shards, 0 for one
// shard per task.
func currentTask(n int) (int, int, error) {
	_, slurm := os.LookupEnv(slurmID)
	_, kube := os.LookupEnv(kubernetes)
	switch {
	case slurm && kube:
		return 0, 0, fmt.Errorf("both %s and %s are set: give the number of the shard", slurmID, kubernetes)
	case slurm:
		return slurmTask(n)
	case kube && n == 0:
		return 0, 0, fmt.Errorf("%s does not say of how many: use auto/N", kubernetes)
	case kube:
		i, err := number(kubernetes, 0, n-1)
		return i + 1, n, err
	}
	return 0, 0, fmt.Errorf("neither %s nor %s is set", slurmID, kubernetes)
}

// slurmTask is currentTask for an array of Slurm. The array must have a task for every shard: if only some
// tasks were submitted again, their variables do not say which shards they are.
func slurmTask(n int) (int, int, error) {
	id, err := number(slurmID, 0, 1<<31-1)
	first, err1 := number(slurmMin, 0, 1<<31-1)
	count, err2 := number(slurmCount, 1, MaxShards)
	step, err3 := 1, error(nil)
	if _, set := os.LookupEnv(slurmStep); set {
		step, err3 = number(slurmStep, 1, 1<<31-1)
	}
	if err := errors.Join(err, err1, err2, err3); err != nil {
		return 0, 0, err
	}
	i := (id-first)/step + 1
	switch {
	case n != 0 && n != count:
		return 0, 0, fmt.Errorf("%s is %d, not %d: give the number of the shard, such as --shard %d/%d", slurmCount, count, n,
			min(max(id, 1), n), n)
	case id < first || (id-first)%step != 0 || i > count:
		return 0, 0, fmt.Errorf("%s %d is none of %d tasks from %d in steps of %d: give the number of the shard", slurmID, id,
			count, first, step)
	}
	return i, count, nil
}

// number returns the value of a variable.
func number(variable string, low, high int) (int, error) {
	text, set := os.LookupEnv(variable)
	if !set {
		return 0, fmt.Errorf("%s is not set", variable)
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < low || n > high {
		return 0, fmt.Errorf("%s: %.40q is not a whole number from %d to %d", variable, text, low, high)
	}
	return n, nil
}
