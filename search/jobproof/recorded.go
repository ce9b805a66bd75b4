package jobproof

import (
	"strconv"
	"time"
)

// Recorded is a Source of jobs whose lengths have been measured, in an endless supply: so a simulation shows what
// coordinator and queue can serve, apart from what a proof has to give.
type Recorded struct {
	Lengths []time.Duration // repeated as often as is needed
	Jobs    int             // after which the simulation ends
	given   int
	done    int
}

// Next is Source.Next.
func (r *Recorded) Next() (Job, bool) {
	if r.given == r.Jobs {
		return Job{}, false
	}
	r.given++
	return Job{ID: strconv.Itoa(r.given), Purpose: Search}, true
}

// Apply is Source.Apply.
func (r *Recorded) Apply(Result) error {
	r.done++
	return nil
}

// ApplyOwn is Source.ApplyOwn.
func (r *Recorded) ApplyOwn(result Result) error { return r.Apply(result) }

// Done is Source.Done.
func (r *Recorded) Done() (string, bool) { return "", r.done == r.Jobs }

// Search is Simulation.Search for these jobs.
func (r *Recorded) Search(_ int, job Job) (Result, time.Duration, error) {
	i, err := strconv.Atoi(job.ID)
	if err != nil {
		return Result{}, 0, err
	}
	return Result{Job: job}, r.Lengths[i%len(r.Lengths)], nil
}
