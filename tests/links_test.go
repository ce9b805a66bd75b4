package tests

import (
	"net/url"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/text"

	"trefoil/internal/filetest"
)

// TestLinks follows every relative link of the documentation: its file exists,
// and its #anchor is a heading of that file.
func TestLinks(t *testing.T) {
	root := os.DirFS("..")
	pages := documentation(t)
	anchors := map[string][]string{}
	for _, page := range pages {
		anchors[page], _ = parsePage(t, page)
	}
	for _, page := range pages {
		_, links := parsePage(t, page)
		for _, link := range links {
			u, err := url.Parse(link)
			if err != nil {
				t.Errorf("%s: link %q: %v", page, link, err)
				continue
			}
			if u.Scheme != "" || u.Host != "" {
				continue
			}
			target := page
			if u.Path != "" {
				target = path.Join(path.Dir(page), u.Path)
			}
			if f, err := root.Open(target); err != nil {
				t.Errorf("%s: link %q: %v", page, link, err)
				continue
			} else {
				f.Close()
			}
			if u.Fragment != "" && !slices.Contains(anchors[target], u.Fragment) {
				t.Errorf("%s: link %q: no such heading in %s", page, link, target)
			}
		}
	}
}

// documentation lists the pages that a reader opens, relative to the root of the
// module, with slashes.
func documentation(t *testing.T) []string {
	pages := []string{"README.md", "README.ja.md", "CONTRIBUTING.md", "CHANGELOG.md"}
	err := filepath.WalkDir(filepath.FromSlash("../docs"), func(name string, _ os.DirEntry, err error) error {
		if err == nil && filepath.Ext(name) == ".md" {
			pages = append(pages, strings.TrimPrefix(filepath.ToSlash(name), "../"))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return pages
}

// parsePage returns the anchors of the headings of a page and the targets of its
// links and pictures.
func parsePage(t *testing.T, page string) (anchors, links []string) {
	source := filetest.Read(t, filepath.Join("..", filepath.FromSlash(page)))
	doc := goldmark.New(goldmark.WithExtensions(extension.GFM)).Parser().Parse(text.NewReader(source))
	seen := map[string]int{}
	err := ast.Walk(doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.Heading:
			anchor := slug(plainText(n, source))
			if k := seen[anchor]; k > 0 {
				anchors = append(anchors, anchor+"-"+strconv.Itoa(k))
			} else {
				anchors = append(anchors, anchor)
			}
			seen[anchor]++
		case *ast.Link:
			links = append(links, string(n.Destination))
		case *ast.Image:
			links = append(links, string(n.Destination))
		}
		return ast.WalkContinue, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return anchors, links
}

// plainText is the text of a heading without its markup.
func plainText(n ast.Node, source []byte) string {
	var b strings.Builder
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		if leaf, ok := c.(*ast.Text); ok {
			b.Write(leaf.Segment.Value(source))
		} else {
			b.WriteString(plainText(c, source))
		}
	}
	return b.String()
}

// slug is the anchor that GitHub gives to a heading: lower case, blanks as
// hyphens, and no other punctuation than hyphens and underscores.
func slug(heading string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == ' ':
			return '-'
		case r == '-' || r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r):
			return unicode.ToLower(r)
		}
		return -1
	}, heading)
}

func TestSlug(t *testing.T) {
	for heading, want := range map[string]string{
		"Go mate":                "go-mate",
		"What's new, in 0.1?":    "whats-new-in-01",
		"Options of `HashIndex`": "options-of-hashindex",
		"将棋 (shogi)":             "将棋-shogi",
	} {
		if got := slug(heading); got != want {
			t.Errorf("slug(%q) = %q, want %q", heading, got, want)
		}
	}
}
