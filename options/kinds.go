package options

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
)

// Spin is an option whose value is a whole number within bounds.
type Spin struct {
	decl     Option
	value    int
	onChange func(context.Context, int) error
	waits    bool
}

// NewSpin declares a spin. The bounds fit 32 bits, as GUIs expect.
func NewSpin(s *Set, d Decl, def, low, high int) *Spin {
	if def < low || def > high || low < math.MinInt32 || high > math.MaxInt32 {
		panic(fmt.Sprintf("options: spin %q: default %d, bounds %d to %d", d.anyName(UCI), def, low, high))
	}
	o := &Spin{value: def, decl: Option{Decl: d, Kind: KindSpin, Default: strconv.Itoa(def), Min: low, Max: high}}
	s.add(o)
	return o
}

// Value is the present value.
func (o *Spin) Value() int { return o.value }

// SetDefault changes the default and, if no other value has been set, the value. OnChange is not called.
func (o *Spin) SetDefault(n int) {
	if o.text() == o.decl.Default {
		o.value = n
	}
	o.decl.Default = strconv.Itoa(n)
}

// Milliseconds is the present value of a spin that counts milliseconds.
func (o *Spin) Milliseconds() time.Duration { return time.Duration(o.value) * time.Millisecond }

// OnChange sets what a change does. f is called before the value is stored, even if it is
// the present value again; its error refuses the change.
func (o *Spin) OnChange(f func(int) error) {
	o.onChange = func(_ context.Context, value int) error { return f(value) }
}

// OnWait is OnChange for a change that may wait for another process: when its context ends, f should soon
// return an error.
func (o *Spin) OnWait(f func(context.Context, int) error) { o.onChange, o.waits = f, true }

func (o *Spin) option() *Option { return &o.decl }
func (o *Spin) text() string    { return strconv.Itoa(o.value) }

func (o *Spin) set(ctx context.Context, text string) (reason string, err error) {
	text = strings.TrimSpace(text)
	low, high := o.decl.Min, o.decl.Max
	n, err := strconv.ParseInt(text, 10, 64)
	switch {
	case text == "":
		return fmt.Sprintf("an empty value is not a whole number from %d to %d", low, high), nil
	case errors.Is(err, strconv.ErrRange), err == nil && (n < int64(low) || n > int64(high)):
		return fmt.Sprintf("%.60q is outside %d to %d", text, low, high), nil
	case err != nil:
		return fmt.Sprintf("%.60q is not a whole number from %d to %d", text, low, high), nil
	}
	return "", change(&o.value, int(n), within(ctx, o.onChange))
}

// within returns f with a context; nil stays nil.
func within[T any](ctx context.Context, f func(context.Context, T) error) func(T) error {
	if f == nil {
		return nil
	}
	return func(value T) error { return f(ctx, value) }
}

// change stores a new value unless f refuses it.
func change[T any](value *T, to T, f func(T) error) error {
	if f != nil {
		if err := f(to); err != nil {
			return err
		}
	}
	*value = to
	return nil
}

// Check is an option whose value is true or false, in any case, or as yes, on or 1, and no, off or 0.
type Check struct {
	decl     Option
	value    bool
	onChange func(bool) error
}

// NewCheck declares a check.
func NewCheck(s *Set, d Decl, def bool) *Check {
	o := &Check{value: def, decl: Option{Decl: d, Kind: KindCheck, Default: strconv.FormatBool(def)}}
	s.add(o)
	return o
}

// Value is the present value.
func (o *Check) Value() bool { return o.value }

// OnChange is Spin.OnChange.
func (o *Check) OnChange(f func(bool) error) { o.onChange = f }

func (o *Check) option() *Option { return &o.decl }
func (o *Check) text() string    { return strconv.FormatBool(o.value) }

func (o *Check) set(_ context.Context, text string) (reason string, err error) {
	switch strings.ToLower(strings.TrimSpace(text)) {
	case "true", "yes", "on", "1":
		return "", change(&o.value, true, o.onChange)
	case "false", "no", "off", "0":
		return "", change(&o.value, false, o.onChange)
	}
	return fmt.Sprintf("%.60q is neither true nor false", strings.TrimSpace(text)), nil
}

// Choice is a word that a combo offers, and the value that it stands for.
type Choice[T any] struct {
	Name  string
	Value T
}

// Combo is an option whose value is chosen from a list.
type Combo[T any] struct {
	decl     Option
	choices  []Choice[T]
	value    Choice[T]
	onChange func(T) error
}

// NewCombo declares a combo; the first choice is the default.
func NewCombo[T any](s *Set, d Decl, choices ...Choice[T]) *Combo[T] {
	o := &Combo[T]{choices: choices, value: choices[0], decl: Option{Decl: d, Kind: KindCombo, Default: choices[0].Name}}
	for _, c := range choices {
		o.decl.Vars = append(o.decl.Vars, c.Name)
	}
	s.add(o)
	return o
}

// Value is what the present choice stands for.
func (o *Combo[T]) Value() T { return o.value.Value }

// OnChange is Spin.OnChange.
func (o *Combo[T]) OnChange(f func(T) error) { o.onChange = f }

func (o *Combo[T]) option() *Option { return &o.decl }
func (o *Combo[T]) text() string    { return o.value.Name }

func (o *Combo[T]) set(_ context.Context, text string) (reason string, err error) {
	text = strings.TrimSpace(text)
	for _, c := range o.choices {
		if strings.EqualFold(c.Name, text) {
			return "", change(&o.value, c, func(c Choice[T]) error {
				if o.onChange == nil {
					return nil
				}
				return o.onChange(c.Value)
			})
		}
	}
	return fmt.Sprintf("%.60q is not one of %s", text, strings.Join(o.decl.Vars, ", ")), nil
}

// Text is an option whose value is any text, for instance the name of a file.
type Text struct {
	decl   Option
	value  string
	onRead func(context.Context, string) error
	waits  bool
}

// NewText declares a text option that is empty by default.
func NewText(s *Set, d Decl) *Text {
	o := &Text{decl: Option{Decl: d, Kind: KindString}}
	s.add(o)
	return o
}

// Value is the present value.
func (o *Text) Value() string { return o.value }

// OnChange is Spin.OnChange.
func (o *Text) OnChange(f func(string) error) {
	o.onRead = func(_ context.Context, value string) error { return f(value) }
}

// OnRead is OnChange for the name of a file that may take a while to read: if its context ends, f should soon
// return an error.
func (o *Text) OnRead(f func(ctx context.Context, path string) error) { o.onRead = f }

// OnWait is Spin.OnWait.
func (o *Text) OnWait(f func(context.Context, string) error) { o.onRead, o.waits = f, true }

func (o *Text) option() *Option { return &o.decl }
func (o *Text) text() string    { return o.value }

func (o *Text) set(ctx context.Context, text string) (reason string, err error) {
	if text = strings.TrimSpace(text); text == emptyText {
		text = ""
	}
	return "", change(&o.value, text, within(ctx, o.onRead))
}

// Button is an option without a value: setting it triggers an action.
type Button struct {
	decl    Option
	onPress func(context.Context) error
	onSave  func(ctx, asked context.Context) error
}

// NewButton declares a button.
func NewButton(s *Set, d Decl) *Button {
	o := &Button{decl: Option{Decl: d, Kind: KindButton}}
	s.add(o)
	return o
}

// OnPress sets the action. It may take a while; if its context ends, it should soon return an error.
func (o *Button) OnPress(f func(context.Context) error) { o.onPress = f }

// OnSave sets the action of a button that writes a file. It is never interrupted: ctx does not end. The end of asked
// asks it to finish soon.
func (o *Button) OnSave(f func(ctx, asked context.Context) error) { o.onSave = f }

func (o *Button) option() *Option { return &o.decl }
func (o *Button) text() string    { return "" }

func (o *Button) set(ctx context.Context, _ string) (reason string, err error) {
	switch {
	case o.onSave != nil:
		return "", o.onSave(context.WithoutCancel(ctx), ctx)
	case o.onPress != nil:
		return "", o.onPress(ctx)
	}
	return "", nil
}
