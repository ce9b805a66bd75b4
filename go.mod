module trefoil

go 1.26.0

require (
	github.com/klauspost/cpuid/v2 v2.4.2
	github.com/pbnjay/memory v0.0.0-20210728143218-7b4eea64cf58
	golang.org/x/sys v0.49.0
	golang.org/x/term v0.46.0
)

require github.com/notnil/chess v1.10.0

require (
	github.com/alecthomas/kong v1.17.0
	github.com/gofrs/flock v0.13.1
	github.com/yuin/goldmark v1.8.7
	gonum.org/v1/gonum v0.17.0
	pgregory.net/rapid v1.3.0
)

require golang.org/x/text v0.43.0

require (
	github.com/rogpeppe/go-internal v1.16.0
	golang.org/x/tools v0.51.0 // indirect
)
