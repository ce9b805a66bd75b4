// Package browsertest opens the page of `trefoil web` in Chromium and uses it as a person does. It is a module of its
// own, so that those who build or import Trefoil do not download what drives the browser. It has only tests:
//
//	cd web/browsertest && go test ./...
//
// They are skipped where no Chromium is found. TREFOIL names a program to test instead of one built of the sources.
package browsertest
