package alphabetagame

import (
	"trefoil/cluster"
	"trefoil/engine/config"
	"trefoil/engine/memory"
	"trefoil/ttanalysis"
	"trefoil/ttanalysis/observe"
)

// Parts is registry.Hasher.Parts. All memory of a shared table is taken when it is made, and the table for
// mates counts when it is there.
func (p *Player) Parts(s config.Sizes) []memory.Part {
	stays := p.TableKiB() == s.KiB // the table, and what is beside it
	hash := p.Options.HashPart(s.KiB, p.TableKiB(), p.table.Ordinary())
	if stays && p.table.Shared() {
		hash = memory.Part{Option: memory.Hash}
	}
	worker := p.worker()
	threads := memory.Part{
		Option: memory.Threads, Bytes: uint64(s.Threads) * worker,
		Mapped: uint64(min(s.Threads, p.Searcher.Workers())) * worker,
	}
	audit := memory.Part{Option: memory.HashAudit}
	audit.Bytes = observe.AuditBytes(s.KiB*cluster.ClustersPerMiB>>10*cluster.EntriesPerCluster, s.Audit)
	if stays && s.Audit == p.monitor.Audits() {
		audit.Mapped = audit.Bytes
	}
	parts := []memory.Part{hash, threads, audit}
	if s.Stats {
		parts = append(parts, memory.Part{Option: memory.HashStats, Bytes: ttanalysis.MaxShadowBytes})
	}
	return parts
}

// goMate is what the table for mates is for, as a part of the memory.
const goMate = "go mate"

// Spare is registry.Sparer.Spare: it closes the table for mates.
func (p *Player) Spare() bool {
	return !p.mates.Empty() && p.closeMates() == nil
}

// closeMates closes the table for mates, if there is one.
func (p *Player) closeMates() error {
	p.env.Memory.Free(goMate)
	return p.mates.Close()
}
