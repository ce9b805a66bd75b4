// Command release builds both programs for all systems and packs each build, with the licences, the manual page and the
// documentation, into an archive, and for Linux also into a Debian package. The same sources and the same version of Go
// give the same archives, byte for byte, in any folder and on any machine. make release runs it.
//
//	release [-only REGEXP] [-stamp VERSION] [-o DIR]
package main

import (
	"context"
	"crypto/sha256"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"trefoil/internal/version"
	"trefoil/tools/internal/program"
)

// programs are what is released, with the folders of their main packages.
var programs = []struct{ name, folder string }{{"trefoil", "."}, {"trefoil-queue", "./cmd/trefoil-queue"}}

// target is what a program is built for.
type target struct{ system, architecture, level string }

// targets are the builds of a release. An amd64 of level v3 has AVX2; v1 runs everywhere, and its nets use AVX2 where
// the processor has it.
var targets = []target{
	{"linux", "amd64", "v1"}, {"linux", "amd64", "v3"}, {"linux", "arm64", ""},
	{"darwin", "amd64", "v1"}, {"darwin", "amd64", "v3"}, {"darwin", "arm64", ""},
	{"windows", "amd64", "v1"}, {"windows", "amd64", "v3"}, {"windows", "arm64", ""},
}

// name is the target in the name of an archive.
func (t target) name() string {
	name := strings.Replace(t.system, "darwin", "macos", 1) + "-" + t.architecture
	if t.level != "" {
		name += "-" + t.level
	}
	return name
}

// environment returns the environment of the go command; settings of the user that would change the build
// are overridden.
func (t target) environment() []string {
	env := append(os.Environ(), "GOOS="+t.system, "GOARCH="+t.architecture, "CGO_ENABLED=0",
		"GOFLAGS=", "GOEXPERIMENT=", "GOWORK=off", "GOAMD64=v1", "GOARM64=v8.0")
	if t.level != "" {
		env = append(env, "GOAMD64="+t.level)
	}
	return env
}

func main() { program.Main("release", run) }

func run(ctx context.Context, args []string, out, errs io.Writer) error {
	set := program.Flags("release [flags]", errs)
	only := set.String("only", "", "only the targets whose names, such as linux-amd64-v3, match this `REGEXP`")
	stamp := set.String("stamp", "", "`VERSION` that the builds get, as git describe prints it")
	dir := set.String("o", "dist", "`DIR` of the archives, which is made")
	if err := set.Parse(args); err != nil {
		return err
	}
	if set.NArg() > 0 {
		return fmt.Errorf("unexpected argument %q", set.Arg(0))
	}
	pattern, err := regexp.Compile(*only)
	if err != nil {
		return fmt.Errorf("-only: %w", err)
	}
	at, err := modified(ctx)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(*dir, 0o777); err != nil {
		return err
	}
	var sums strings.Builder
	for _, p := range programs {
		b := builder{name: p.name, folder: p.folder, stamp: *stamp, at: at}
		for _, t := range targets {
			if !pattern.MatchString(t.name()) {
				continue
			}
			archives, err := b.archives(ctx, t)
			if err != nil {
				return fmt.Errorf("%s for %s: %w", p.name, t.name(), err)
			}
			for _, a := range archives {
				if err := os.WriteFile(filepath.Join(*dir, a.name), a.data, 0o666); err != nil {
					return err
				}
				fmt.Fprintf(&sums, "%x  %s\n", sha256.Sum256(a.data), a.name)
				fmt.Fprintf(out, "%s: %d bytes\n", a.name, len(a.data))
			}
		}
	}
	if sums.Len() == 0 {
		return fmt.Errorf("-only %q: no target matches", *only)
	}
	return os.WriteFile(filepath.Join(*dir, "SHA256SUMS"), []byte(sums.String()), 0o666)
}

// modified is the time of all files in the archives: SOURCE_DATE_EPOCH, or the time of the last commit.
func modified(ctx context.Context) (time.Time, error) {
	text, source := os.Getenv("SOURCE_DATE_EPOCH"), "SOURCE_DATE_EPOCH"
	if text == "" {
		source = "git log"
		log, err := exec.CommandContext(ctx, "git", "log", "-1", "--format=%ct").Output()
		if err != nil {
			return time.Time{}, fmt.Errorf("git log: %w; without git, set SOURCE_DATE_EPOCH", err)
		}
		text = strings.TrimSpace(string(log))
	}
	seconds, err := strconv.ParseInt(text, 10, 64)
	if err != nil || seconds < 0 {
		return time.Time{}, fmt.Errorf("%s: %q is not a time in seconds", source, text)
	}
	return time.Unix(seconds, 0).UTC(), nil
}

// builder makes the archives of one program.
type builder struct {
	name, folder string // of the program, and of its main package
	stamp        string // its version
	at           time.Time
	documents    []file // that all archives have
}

// archives returns the archive for a target, and the Debian package if the target has one.
func (b *builder) archives(ctx context.Context, t target) (list []file, err error) {
	if b.documents == nil {
		if b.documents, err = documents(ctx, b.name, b.folder, b.stamp); err != nil {
			return nil, err
		}
	}
	binary, err := build(ctx, t, b.name, b.folder, b.stamp)
	if err != nil {
		return nil, err
	}
	folder := b.name + "-" + version.String() + "-" + t.name()
	archive, err := pack(folder, t.system == "windows", b.at, append([]file{binary}, b.documents...))
	if err != nil || t.system != "linux" || t.level == "v3" {
		return []file{archive}, err
	}
	debian, err := packDebian(b.name, version.String(), t.architecture, b.at, binary, b.documents)
	return []file{archive, debian}, err
}

// documents are the files that all archives of a program have: those to read, with the folder docs, to
// which they link, its licences and its manual page.
func documents(ctx context.Context, program, folder, stamp string) (list []file, err error) {
	names := []string{"README.md", "README.ja.md", "CHANGELOG.md", "LICENSE"}
	err = filepath.WalkDir("docs", func(name string, _ fs.DirEntry, err error) error {
		if ext := filepath.Ext(name); err == nil && (ext == ".md" || ext == ".svg") {
			names = append(names, filepath.ToSlash(name))
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		if path.Ext(name) == ".md" {
			text = unlink(text, name, names)
		}
		list = append(list, file{name: name, data: text})
	}
	for _, d := range []struct{ name, subcommand string }{{"LICENSES.txt", "license"}, {program + ".1", "man"}} {
		var errs strings.Builder
		cmd := exec.CommandContext(ctx, "go", "run", "-buildvcs=false", "-pgo=off", "-ldflags", ldflags+stamp, folder,
			d.subcommand)
		cmd.Stderr = &errs
		text, err := cmd.Output()
		if err != nil {
			return nil, fmt.Errorf("go run %s %s: %w\n%s", folder, d.subcommand, err, errs.String())
		}
		list = append(list, file{name: d.name, data: text})
	}
	return list, nil
}

// link is a link or a picture in a document: its text and the file.
var link = regexp.MustCompile(`!?\[([^][]*)\]\(([^()#:]+)(?:#[^()]*)?\)`)

// unlink leaves of links to files that the archive has not, such as the sources, the text alone.
func unlink(document []byte, name string, packed []string) []byte {
	return link.ReplaceAllFunc(document, func(found []byte) []byte {
		part := link.FindSubmatch(found)
		if slices.Contains(packed, path.Join(path.Dir(name), string(part[2]))) {
			return found
		}
		return part[1]
	})
}

// ldflags, before a version, leave out symbols and debug data.
const ldflags = "-s -w -buildid= -X trefoil/internal/version.stamp="

// build builds a program, whose main package is in a folder, for a target.
func build(ctx context.Context, t target, program, folder, stamp string) (f file, err error) {
	to, err := os.MkdirTemp("", "trefoil-release")
	if err != nil {
		return f, err
	}
	defer os.RemoveAll(to)
	f = file{name: program, program: true}
	if t.system == "windows" {
		f.name += ".exe"
	}
	binary := filepath.Join(to, f.name)
	cmd := exec.CommandContext(ctx, "go", "build", "-trimpath", "-buildvcs=false", "-pgo=default.pgo",
		"-tags", "nethttpomithttp2", // the page is served without TLS, so it never speaks HTTP/2
		"-ldflags", ldflags+stamp, "-o", binary, folder)
	cmd.Env = t.environment()
	if output, err := cmd.CombinedOutput(); err != nil {
		return f, fmt.Errorf("go build: %w\n%s", err, output)
	}
	f.data, err = os.ReadFile(binary)
	return f, err
}
