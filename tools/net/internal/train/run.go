package train

import (
	"context"
	"time"
)

// Progress is what Run reports.
type Progress struct {
	Step    int     // steps done
	Speed   float64 // positions per second since the last report, without the time for reports
	Loss    float64 // mean of the batches since the last report
	HeldOut float64 // loss of the samples that are held out; 0 if there are none
	Rate    float64 // learning rate of the last step
}

// Run trains until all steps are done, and reports at regular steps and at the end. An error of
// report ends it, and so does the end of ctx, between two steps.
func Run(ctx context.Context, t *Trainer, source Source, heldOut Batch, every int, report func(Progress) error) error {
	loss, count, begin := 0.0, 0, time.Now()
	for !t.Done() {
		if err := context.Cause(ctx); err != nil {
			return err
		}
		rate := t.LearningRate()
		batch, err := source.Next(t.Batch)
		if err != nil {
			return err
		}
		l, err := t.Train(batch)
		if err != nil {
			return err
		}
		loss += l
		count++
		if t.step%every != 0 && !t.Done() {
			continue
		}
		p := Progress{Step: t.step, Loss: loss / float64(count), Rate: rate}
		p.Speed = float64(count*t.Batch) / time.Since(begin).Seconds()
		if heldOut != nil && heldOut.Len() > 0 {
			m, err := MeasureAll(heldOut, t.Loss, len(t.workers), Float(t))
			if err != nil {
				return err
			}
			p.HeldOut = m[0].Loss
		}
		if err := report(p); err != nil {
			return err
		}
		loss, count, begin = 0, 0, time.Now()
	}
	return nil
}
