package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"html"
	"io"
	"maps"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// createTest creates a match on a server, as the form of its page does: from a preset of the settings, two branches and
// what the flags say besides.
func createTest(ctx context.Context, set *flag.FlagSet, args []string, out io.Writer) error {
	server := set.String("server", os.Getenv("OPENBENCH_SERVER"), "address of the server; OPENBENCH_SERVER by default")
	user := set.String("user", os.Getenv("OPENBENCH_USERNAME"), "name of the user; OPENBENCH_USERNAME by default")
	password := set.String("password", "", "password; OPENBENCH_PASSWORD by default")
	file := set.String("settings", defaultSettings, "settings of the engine")
	engine := set.String("engine", "Trefoil", "name of the engine on the server")
	name := set.String("preset", "STC", "preset that fills in the form")
	source := set.String("source", "", "repository of both branches; that of the settings by default")
	dev := set.String("dev", "", "branch, tag or commit that is tested")
	base := set.String("base", "", "branch, tag or commit it is compared with; that of the preset by default")
	if err := set.Parse(args); err != nil {
		return err
	}
	if *password == "" {
		*password = os.Getenv("OPENBENCH_PASSWORD")
	}
	for _, needed := range []struct{ flag, value string }{{"dev", *dev}, {"server", *server}, {"user", *user},
		{"password", *password}} {
		if needed.value == "" {
			return fmt.Errorf("-%s is missing", needed.flag)
		}
	}
	s, err := readSettings(*file)
	if err != nil {
		return err
	}
	if *source == "" {
		*source = s.source
	}
	changes := preset{"dev_branch": *dev}
	if *base != "" {
		changes["base_branch"] = *base
	}
	for _, arg := range set.Args() {
		field, value, ok := strings.Cut(arg, "=")
		check := workloads["test_presets"].check(field)
		if !ok || check == nil {
			return fmt.Errorf("%q is not FIELD=VALUE with a field of a preset", arg)
		}
		if err := check(value); err != nil {
			return fmt.Errorf("%s: %w", field, err)
		}
		changes[field] = value
	}
	form, err := s.form(*name, changes)
	if err != nil {
		return err
	}
	for _, side := range []string{"dev", "base"} {
		form[side+"_engine"] = *engine
		form[side+"_repo"] = *source
	}
	maps.Copy(form, map[string]string{"username": *user, "password": *password, "action": "CREATE_TEST"})
	if err := post(ctx, *server, form); err != nil {
		return err
	}
	fmt.Fprintf(out, "created: %s %s against %s %s\n", form["dev_branch"], form["dev_options"], form["base_branch"],
		form["base_options"])
	return nil
}

// form is what the page of the server fills in when a preset of tests is chosen, with changes.
func (s *settings) form(name string, changes preset) (map[string]string, error) {
	presets := s.presets["test_presets"]
	if name == defaultPreset || presets[name] == nil {
		names := slices.DeleteFunc(slices.Sorted(maps.Keys(presets)), func(n string) bool { return n == defaultPreset })
		return nil, fmt.Errorf("no preset %q; there are %q", name, names)
	}
	form := map[string]string{
		"dev_bench": "", "base_bench": "", // of the commit messages
		"dev_network": "", "base_network": "",
		"upload_pgns": "FALSE", "priority": "0", "throughput": "1000", "syzygy_wdl": "DISABLED", "syzygy_adj": "OPTIONAL",
		"scale_method": "BASE", "scale_nps": strconv.FormatInt(s.nps, 10), "info": "",
		"test_mode": "SPRT", "test_max_games": "N/A",
	}
	w := workloads["test_presets"]
	for _, p := range []preset{presets[defaultPreset], presets[name], changes} {
		p.fill(form, w)
		if p["test_max_games"] != "" {
			form["test_mode"] = "GAMES"
		} else if p["test_bounds"] != "" {
			form["test_mode"] = "SPRT"
		}
	}
	return form, nil
}

// errorMessage is where a page of the server says what it refuses.
var errorMessage = regexp.MustCompile(`(?s)class="?error-message"?>\s*<pre>(.*?)</pre>`)

// post sends the form. The server answers with a page in any case; what it refuses stands there.
func post(ctx context.Context, server string, form map[string]string) error {
	values := url.Values{}
	for field, value := range form {
		values.Set(field, value)
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, strings.TrimSuffix(server, "/")+"/scripts/",
		strings.NewReader(values.Encode()))
	if err != nil {
		return err
	}
	request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	jar, err := cookiejar.New(nil)
	if err != nil {
		return err
	}
	client := http.Client{Jar: jar, Timeout: 2 * time.Minute} // the server asks GitHub meanwhile
	response, err := client.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	page, err := io.ReadAll(io.LimitReader(response.Body, 1<<24))
	switch {
	case err != nil:
		return err
	case response.StatusCode != http.StatusOK:
		return fmt.Errorf("the server answers %s", response.Status)
	case strings.HasPrefix(response.Request.URL.Path, "/login"):
		return errors.New("the server does not know this user and password, or the user is not enabled")
	}
	if m := errorMessage.FindSubmatch(page); m != nil {
		return fmt.Errorf("the server refuses the test: %s", strings.TrimSpace(html.UnescapeString(string(m[1]))))
	}
	if !strings.HasPrefix(response.Request.URL.Path, "/index") {
		return fmt.Errorf("the server answers with the page %s instead of its list of tests", response.Request.URL.Path)
	}
	return nil
}
