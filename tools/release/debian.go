package main

import (
	"bytes"
	"crypto/md5"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"
	"time"
)

// debianVersion matches the versions that a Debian package may have.
var debianVersion = regexp.MustCompile(`^[0-9][A-Za-z0-9.+~-]*$`)

// packDebian returns a Debian package (deb(5)) of a program: its binary and its documents. The licences become the
// copyright file. It depends on the arguments alone.
func packDebian(program, version, architecture string, at time.Time, binary file, documents []file) (file, error) {
	var err error
	deb := file{name: program + "_" + version + "_" + architecture + ".deb"}
	if !debianVersion.MatchString(version) {
		return deb, fmt.Errorf("version %q: a Debian package cannot have it", version)
	}
	docs, page := "usr/share/doc/"+program+"/", ""
	binary.name = "usr/bin/" + program
	files := []file{binary}
	for _, d := range documents {
		switch d.name {
		case "LICENSES.txt":
			d.name = docs + "copyright"
		case program + ".1":
			page = string(d.data)
			d.name = "usr/share/man/man1/" + d.name + ".gz"
			if d.data, err = compress(d.data); err != nil {
				return deb, err
			}
		default:
			d.name = docs + d.name
		}
		files = append(files, d)
	}
	metadata, err := packTar(".", at, metadata(program, version, architecture, page, files))
	if err != nil {
		return deb, err
	}
	data, err := packTar(".", at, withFolders(files))
	if err != nil {
		return deb, err
	}
	deb.data = packAr(at, []file{{name: "debian-binary", data: []byte("2.0\n")},
		{name: "control.tar.gz", data: metadata}, {name: "data.tar.gz", data: data}})
	return deb, nil
}

// summary matches the line of a manual page that describes the program.
var summary = regexp.MustCompile(`(?m)^\.SH "NAME"\n.* \\- (.*)$`)

// metadata are the files about a package with files and a manual page.
func metadata(program, version, architecture, page string, files []file) []file {
	description := program
	if found := summary.FindStringSubmatch(page); found != nil {
		description = strings.ReplaceAll(found[1], `\`, "")
	}
	var sums strings.Builder
	size := 0
	for _, f := range files {
		size += len(f.data)
		fmt.Fprintf(&sums, "%x  %s\n", md5.Sum(f.data), f.name)
	}
	control := fmt.Sprintf("Package: %s\nVersion: %s\nArchitecture: %s\nMaintainer: The Trefoil developers\n"+
		"Installed-Size: %d\nSection: games\nPriority: optional\nDescription: %s\n",
		program, version, architecture, (size+1023)/1024, description)
	return []file{{name: "control", data: []byte(control)}, {name: "md5sums", data: []byte(sums.String())}}
}

// withFolders returns files with all the folders above them, which dpkg does not make by itself, each before its files.
func withFolders(files []file) []file {
	for i := 0; i < len(files); i++ {
		folder := path.Dir(strings.TrimSuffix(files[i].name, "/")) + "/"
		if folder != "./" && !slices.ContainsFunc(files, func(f file) bool { return f.name == folder }) {
			files = append(files, file{name: folder})
		}
	}
	slices.SortFunc(files, func(a, b file) int { return strings.Compare(a.name, b.name) })
	return files
}

// packAr returns an archive of ar(5): a line of text before each file, whose data begin at even offsets.
func packAr(at time.Time, files []file) []byte {
	b := bytes.NewBufferString("!<arch>\n")
	for _, f := range files {
		fmt.Fprintf(b, "%-16s%-12d%-6d%-6d%-8o%-10d`\n%s", f.name, at.Unix(), 0, 0, 0o100000|f.mode(), len(f.data), f.data)
		if len(f.data)%2 == 1 {
			b.WriteByte('\n')
		}
	}
	return b.Bytes()
}
