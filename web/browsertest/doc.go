// Package browsertest opens the page of `trefoil web` in Chromium and uses it as a person does, with fewer tests in
// Firefox. It is a module of its own, so that those who build or import Trefoil do not download what drives the
// browsers. It has only tests:
//
//	cd web/browsertest && npm ci --ignore-scripts && npm exec --no tsc && go test ./...
//
// Tests are skipped if their browser is absent. npm ci installs tsc, which checks the types of the page, and axe-core,
// which TestAccess needs. TREFOIL names a program to test instead of one built of the sources.
package browsertest
