package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"errors"
	"io/fs"
	"strings"
	"time"
)

// file is a file of an archive; a name that ends with a slash is a folder.
type file struct {
	name    string
	data    []byte
	program bool
}

// mode is the permissions of the file.
func (f *file) mode() fs.FileMode {
	if f.program || strings.HasSuffix(f.name, "/") {
		return 0o755
	}
	return 0o644
}

// pack returns an archive with the files in a folder: .zip or .tar.gz. It depends on the arguments alone.
func pack(folder string, zipped bool, at time.Time, files []file) (archive file, err error) {
	if zipped {
		archive.name = folder + ".zip"
		archive.data, err = packZip(folder, at, files)
	} else {
		archive.name = folder + ".tar.gz"
		archive.data, err = packTar(folder, at, files)
	}
	return archive, err
}

func packZip(folder string, at time.Time, files []file) ([]byte, error) {
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, f := range files {
		h := &zip.FileHeader{Name: folder + "/" + f.name, Method: zip.Deflate, Modified: at}
		h.SetMode(f.mode())
		to, err := w.CreateHeader(h)
		if err != nil {
			return nil, err
		}
		if _, err := to.Write(f.data); err != nil {
			return nil, err
		}
	}
	err := w.Close()
	return b.Bytes(), err
}

func packTar(folder string, at time.Time, files []file) ([]byte, error) {
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for _, f := range files {
		h := &tar.Header{Name: folder + "/" + f.name, Size: int64(len(f.data)), Mode: int64(f.mode()), ModTime: at,
			Format: tar.FormatUSTAR}
		if err := w.WriteHeader(h); err != nil {
			return nil, err
		}
		if _, err := w.Write(f.data); err != nil {
			return nil, err
		}
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	return compress(b.Bytes())
}

// compress returns data in the format of gzip.
func compress(data []byte) ([]byte, error) {
	var b bytes.Buffer
	z, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	_, err = z.Write(data)
	err = errors.Join(err, z.Close())
	return b.Bytes(), err
}
