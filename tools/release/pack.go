package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"errors"
	"io/fs"
	"time"
)

// file is a file of an archive.
type file struct {
	name    string
	data    []byte
	program bool
}

// mode is the permissions of the file.
func (f *file) mode() fs.FileMode {
	if f.program {
		return 0o755
	}
	return 0o644
}

// pack returns the name and the bytes of an archive with the files in a folder: .zip or .tar.gz. They depend on the
// arguments alone.
func pack(folder string, zipped bool, at time.Time, files []file) (name string, archive []byte, err error) {
	if zipped {
		archive, err = packZip(folder, at, files)
		return folder + ".zip", archive, err
	}
	archive, err = packTar(folder, at, files)
	return folder + ".tar.gz", archive, err
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
	z, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	w := tar.NewWriter(z)
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
	err = errors.Join(w.Close(), z.Close())
	return b.Bytes(), err
}
