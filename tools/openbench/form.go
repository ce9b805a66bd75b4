package main

import (
	"slices"
	"strings"
)

// A workload is a kind of work that a user gives to the server: a match, a tuning run, or games for training.
type workload struct {
	sides  []string                      // the engines that play: dev, base
	fields map[string]func(string) error // of the form, besides the common ones and those of the sides
	needed []string                      // fields that a preset must fill in, or the default
}

// Fields of all kinds of workload.
var common = map[string]func(string) error{
	"book_name":   text(32),
	"upload_pgns": oneOf("FALSE", "COMPACT", "VERBOSE"),
	"priority":    integer,
	"throughput":  positive,
	"syzygy_wdl":  syzygy,
	"syzygy_adj":  syzygy,
	"win_adj":     form(`None|movecount=[0-9]+ score=[0-9]+`, "movecount=N score=CENTIPAWNS, or None"),
	"draw_adj": form(`None|movenumber=[0-9]+ movecount=[0-9]+ score=[0-9]+`,
		"movenumber=N movecount=N score=CENTIPAWNS, or None"),
}

// sideFields are the fields of each engine, behind dev_, base_ or, for both, both_.
var sideFields = map[string]func(string) error{
	"branch":  text(128),
	"bench":   positive,
	"network": form(`[0-9A-F]{8}`, "the first 8 digits of a SHA-256"),
	"options": checkSideOptions,
	"time_control": form(`(N|D|MT)=[1-9][0-9]*|([1-9][0-9]*/)?[0-9]+(\.[0-9]+)?(\+[0-9]+(\.[0-9]+)?)?`,
		"N=NODES, D=DEPTH, MT=MILLISECONDS or [MOVES/]SECONDS[+SECONDS]"),
}

// workloads are the kinds of workload by the key of their presets.
var workloads = map[string]workload{
	"test_presets": {
		sides: []string{"dev", "base"},
		fields: map[string]func(string) error{
			"test_bounds": bounds, "test_confidence": confidence, "test_max_games": positive, "workload_size": positive,
		},
		needed: []string{"base_branch", "dev_options", "base_options", "dev_time_control", "base_time_control", "book_name",
			"test_bounds", "test_confidence", "workload_size", "win_adj", "draw_adj"},
	},
	"tune_presets": {
		sides: []string{"dev"},
		fields: map[string]func(string) error{
			"spsa_reporting_type": oneOf("BULK", "BATCHED"), "spsa_distribution_type": oneOf("SINGLE", "MULTIPLE"),
			"spsa_alpha": above0, "spsa_gamma": above0, "spsa_A_ratio": above0, "spsa_iterations": positive,
			"spsa_pairs_per": positive,
		},
		needed: []string{"dev_options", "dev_time_control", "book_name", "win_adj", "draw_adj"},
	},
	"datagen_presets": {
		sides: []string{"dev", "base"},
		fields: map[string]func(string) error{
			"workload_size": positive, "datagen_max_games": positive, "datagen_play_reverses": oneOf("YES", "NO"),
			"datagen_custom_genfens": form(`[^"]*`, "a text without quotes"),
		},
		needed: []string{"base_branch", "dev_options", "base_options", "dev_time_control", "base_time_control", "book_name",
			"workload_size", "win_adj", "draw_adj"},
	},
}

// check returns what checks the values of a key of a preset, nil if there is no such key.
func (w workload) check(key string) func(string) error {
	if side, field, ok := strings.Cut(key, "_"); ok && (side == "both" || slices.Contains(w.sides, side)) {
		return sideFields[field]
	}
	if check := w.fields[key]; check != nil {
		return check
	}
	return common[key]
}

// fill sets the fields of a form that p has, both engines' where it names both.
func (p preset) fill(fields map[string]string, w workload) {
	for key, value := range p {
		if field, ok := strings.CutPrefix(key, "both_"); ok {
			for _, side := range w.sides {
				fields[side+"_"+field] = value
			}
		}
	}
	for key, value := range p {
		if !strings.HasPrefix(key, "both_") {
			fields[key] = value
		}
	}
}
