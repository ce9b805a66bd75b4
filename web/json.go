package web

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
)

const (
	// maxBody is the longest body of a request.
	maxBody = 64 << 10
	// maxRecord is the longest body that has a game with variations and comments.
	maxRecord = 1 << 20
)

// refusal is an error with a status of HTTP.
type refusal struct {
	status int
	text   string
}

func (r *refusal) Error() string { return r.text }

// refuse returns a refusal.
func refuse(status int, format string, args ...any) error {
	return &refusal{status, fmt.Sprintf(format, args...)}
}

// bad is a refusal of what a client sent.
func bad(format string, args ...any) error { return refuse(http.StatusBadRequest, format, args...) }

// reply answers a request with JSON. It may come long after the request: the answer about an option waits
// for a search.
func reply(w http.ResponseWriter, status int, value any) {
	limitAnswer(w)
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(value) // a client that is gone
}

// replyError answers a request with an error.
func replyError(w http.ResponseWriter, err error) {
	status := http.StatusBadRequest
	if r, ok := errors.AsType[*refusal](err); ok {
		status = r.status
	}
	reply(w, status, map[string]string{"error": err.Error()})
}

// get is a handler whose answer is JSON.
func get(answer func(*http.Request) (any, error)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		value, err := answer(r)
		if err != nil {
			replyError(w, err)
			return
		}
		reply(w, http.StatusOK, value)
	}
}

// post is a handler whose request is JSON too.
func post[T any](answer func(*http.Request, *T) (any, error)) http.HandlerFunc {
	return postUpTo(maxBody, answer)
}

// postUpTo is post for bodies of up to limit bytes.
func postUpTo[T any](limit int64, answer func(*http.Request, *T) (any, error)) http.HandlerFunc {
	return get(func(r *http.Request) (any, error) {
		body := new(T)
		if err := read(r, limit, body); err != nil {
			return nil, err
		}
		return answer(r, body)
	})
}

// bodyOf returns the body of a request, which has to be of a type. Reading more than limit bytes is an error.
func bodyOf(r *http.Request, want string, limit int64) (io.Reader, error) {
	kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if err != nil || kind != want {
		return nil, refuse(http.StatusUnsupportedMediaType, "Content-Type %.60q is not %s", r.Header.Get("Content-Type"),
			want)
	}
	return http.MaxBytesReader(nil, r.Body, limit), nil
}

// read reads the body of a request: one value, without fields that are not known.
func read(r *http.Request, limit int64, value any) error {
	body, err := bodyOf(r, "application/json", limit)
	if err != nil {
		return err
	}
	d := json.NewDecoder(body)
	d.DisallowUnknownFields()
	err = d.Decode(value)
	if err == nil {
		if _, err = d.Token(); err == io.EOF {
			return nil
		} else if err == nil {
			err = errors.New("more than one value")
		}
	}
	return unread(err)
}

// unread is the refusal of a body that could not be read.
func unread(err error) error {
	if long, ok := errors.AsType[*http.MaxBytesError](err); ok {
		return refuse(http.StatusRequestEntityTooLarge, "the body is longer than %d bytes", long.Limit)
	}
	return bad("body: %s", describe(err))
}

// describe says what is wrong with a body, in the words of JSON.
func describe(err error) string {
	if err == io.EOF {
		return "it is empty"
	}
	if err == io.ErrUnexpectedEOF {
		return "it ends within a value"
	}
	if t, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		if t.Field == "" {
			return fmt.Sprintf("it is not an object: %.40s", t.Value)
		}
		return fmt.Sprintf("field %q: unexpected %.40s", t.Field, t.Value)
	}
	return err.Error()
}
