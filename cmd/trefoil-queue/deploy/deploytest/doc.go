// Package deploytest runs the recipes of the folder deploy and of docs/scale.md with the programs that they
// are for: GNU parallel, Slurm on this machine, and buildah; the Kubernetes manifests are checked against
// the schema of the API. It is a module of its own, so that those who build or import Trefoil do not
// download the validator. It has only tests:
//
//	cd cmd/trefoil-queue/deploy/deploytest && go test ./...
//
// Each is skipped where its program is absent. TREFOIL names a program to test instead of one built of the sources.
package deploytest
