package engine

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"trefoil/cluster"
	"trefoil/engine/registry"
	"trefoil/ttanalysis/observe"
)

// errAuditShared refuses an audit of a shared table: it has no second keys of what other processes store.
var errAuditShared = errors.New("HashAudit and Hash Shared cannot be used together: turn one of them off first")

// share is the action of Hash Shared.
func (e *Engine) share(ctx context.Context, name string) error {
	sharer, ok := e.current.player.(registry.ClusterHasher)
	switch {
	case name == "" && !ok:
		return nil
	case !ok:
		return e.notShared()
	case name == "":
		return sharer.Share(ctx, "")
	case e.options.HashAudit.Value() != observe.AuditOff:
		return errAuditShared
	}
	if err := cluster.CheckName(name); err != nil {
		return err
	}
	return sharer.Share(ctx, name)
}

// notShared is the error for a game whose table is never shared.
func (e *Engine) notShared() error {
	return fmt.Errorf("the table of %s cannot be shared; only those of %s can", e.current.game.Title,
		strings.Join(namesOf[registry.ClusterHasher](e), " and "))
}
