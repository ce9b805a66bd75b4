package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"trefoil/engine"
	"trefoil/options"
)

// settings are what a server of OpenBench reads of an engine, in its file Engines/NAME.json.
type settings struct {
	source  string // where branches are unless a user has a fork
	nps     int64  // the speed for which time controls are meant
	presets map[string]map[string]preset
}

// A preset fills in fields of the form by which a workload is created. The preset "default" comes first.
type preset map[string]string

// defaultPreset is the name of the preset that fills in fields before any other does.
const defaultPreset = "default"

// A place is where in the file something stands, such as build.path.
type place string

func (p place) at(key string) place {
	if p == "" {
		return place(key)
	}
	if strings.ContainsAny(key, " .") {
		key = fmt.Sprintf("[%q]", key)
		return p + place(key)
	}
	return p + "." + place(key)
}

// reader collects all that is wrong with a file.
type reader struct{ errs []error }

func (r *reader) fail(at place, format string, args ...any) {
	r.errs = append(r.errs, fmt.Errorf("%s: %s", at, fmt.Sprintf(format, args...)))
}

// parseSettings reads a file of settings as the server does. A setting that the server would ignore, or
// accept and then refuse in every workload, is an error too. The error has a line for everything that is
// wrong.
func parseSettings(file []byte) (*settings, error) {
	d := json.NewDecoder(bytes.NewReader(file))
	d.UseNumber()
	var root any
	err := d.Decode(&root)
	if err == nil {
		if _, more := d.Token(); !errors.Is(more, io.EOF) {
			err = errors.New("there is something behind the last bracket")
		}
	}
	if err != nil {
		offset := d.InputOffset()
		if syntax, ok := errors.AsType[*json.SyntaxError](err); ok {
			offset = syntax.Offset
		} else if errors.Is(err, io.ErrUnexpectedEOF) {
			offset = int64(len(file))
		}
		return nil, fmt.Errorf("line %d: %w", 1+bytes.Count(file[:min(offset, int64(len(file)))], []byte("\n")), err)
	}
	r := &reader{}
	s := &settings{presets: map[string]map[string]preset{}}
	top := r.object("", root, slices.Concat([]string{"private", "nps", "source", "build"},
		slices.Sorted(maps.Keys(workloads))))
	if private, ok := top["private"].(bool); !ok {
		r.fail("private", "must be true or false")
	} else if private {
		r.fail("private", "must be false: a private engine needs a token of GitHub on the server")
	}
	if n, ok := top["nps"].(json.Number); !ok {
		r.fail("nps", "must be a number")
	} else if s.nps, err = n.Int64(); err != nil || s.nps <= 0 {
		r.fail("nps", "%s is not a whole number above 0", n)
	}
	s.source = r.text("source", top["source"])
	if err := checkSource(s.source); err != nil {
		r.fail("source", "%v", err)
	}
	r.build(top["build"])
	for _, kind := range slices.Sorted(maps.Keys(workloads)) {
		if top[kind] != nil {
			s.presets[kind] = r.presets(kind, top[kind])
		}
	}
	return s, errors.Join(r.errs...)
}

// object returns v as an object with these keys only.
func (r *reader) object(at place, v any, keys []string) map[string]any {
	o, ok := v.(map[string]any)
	if !ok {
		r.fail(cmp.Or(at, "the file"), "must be an object")
		return nil
	}
	for _, key := range slices.Sorted(maps.Keys(o)) {
		if keys != nil && !slices.Contains(keys, key) {
			r.fail(at.at(key), "unknown key")
		}
	}
	return o
}

func (r *reader) text(at place, v any) string {
	s, ok := v.(string)
	if !ok {
		r.fail(at, "must be a string")
	}
	return s
}

// texts returns v as a list of strings.
func (r *reader) texts(at place, v any) (list []string) {
	items, ok := v.([]any)
	if !ok {
		r.fail(at, "must be a list of strings")
	}
	for i, item := range items {
		list = append(list, r.text(place(fmt.Sprintf("%s[%d]", at, i)), item))
	}
	return list
}

// build checks how workers build the engine.
func (r *reader) build(v any) {
	build := r.object("build", v, []string{"path", "compilers", "cpuflags", "systems"})
	if build == nil {
		return
	}
	r.text("build.path", build["path"])
	for _, compiler := range r.texts("build.compilers", build["compilers"]) {
		if _, version, ok := strings.Cut(compiler, ">="); ok && !versionForm.MatchString(version) {
			r.fail("build.compilers", "%q: the version must be numbers with points between", compiler)
		}
	}
	r.texts("build.cpuflags", build["cpuflags"])
	for _, system := range r.texts("build.systems", build["systems"]) {
		if !slices.Contains([]string{"Linux", "Windows", "Darwin"}, system) {
			r.fail("build.systems", "%q is not Linux, Windows or Darwin", system)
		}
	}
}

// presets returns the presets of a kind of workload. Each, with what the default fills in, makes a complete form.
func (r *reader) presets(kind string, v any) map[string]preset {
	presets := map[string]preset{}
	object := r.object(place(kind), v, nil)
	if object == nil {
		return nil
	}
	if object[defaultPreset] == nil {
		// The server drops all presets of the kind then, without a word.
		r.fail(place(kind), "has no preset %q", defaultPreset)
	}
	fields := workloads[kind]
	for _, name := range slices.Sorted(maps.Keys(object)) {
		at := place(kind).at(name)
		presets[name] = preset{}
		preset := r.object(at, object[name], nil)
		for _, key := range slices.Sorted(maps.Keys(preset)) {
			check := fields.check(key)
			if check == nil {
				r.fail(at.at(key), "unknown key")
				continue
			}
			var value string
			switch v := preset[key].(type) {
			case string:
				value = v
			case json.Number:
				value = v.String()
			default:
				r.fail(at.at(key), "must be a string or a number")
				continue
			}
			if err := check(value); err != nil {
				r.fail(at.at(key), "%v", err)
			}
			presets[name][key] = value
		}
	}
	for _, name := range slices.Sorted(maps.Keys(presets)) {
		if name == defaultPreset {
			continue
		}
		form := map[string]string{}
		presets[defaultPreset].fill(form, fields)
		presets[name].fill(form, fields)
		for _, field := range fields.needed {
			if form[field] == "" {
				r.fail(place(kind).at(name), "neither it nor the default has %s", field)
			}
		}
	}
	return presets
}

// checkOptions sets the options of an engine as a match would: they must be written as the engine lists them,
// because fastchess leaves out what it does not know.
func checkOptions(text string) error {
	e := engine.New()
	defer e.Close()
	listed := e.Options().List(options.UCI)
	for _, field := range strings.Fields(text) {
		name, value, ok := strings.Cut(field, "=")
		if !ok {
			return fmt.Errorf("%q is not NAME=VALUE", field)
		}
		if !slices.ContainsFunc(listed, func(o options.Option) bool { return o.Name(options.UCI) == name }) {
			return fmt.Errorf("the engine lists no option %s", name)
		}
		if err := e.Options().Set(context.Background(), options.UCI, name, value); err != nil {
			return err
		}
	}
	return nil
}
