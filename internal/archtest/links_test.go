package archtest

import (
	"errors"
	"io/fs"
	"net/url"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
)

// link is an inline link or image of Markdown, its target the first group.
var link = regexp.MustCompile(`\]\(<?([^)\s>]+)`)

func TestDocumentsLinkToWhatIsThere(t *testing.T) {
	root := os.DirFS("../..")
	pages, err := documents(root)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Contains(pages, "README.md") || !slices.Contains(pages, "docs/design.md") {
		t.Fatalf("found only the documents %v", pages)
	}
	for _, page := range pages {
		dead, err := deadLinks(root, page)
		if err != nil {
			t.Error(err)
		}
		for _, target := range dead {
			t.Errorf("%s links to %s, which is not there", page, target)
		}
	}
}

func TestDeadLinks(t *testing.T) {
	root := fstest.MapFS{
		"README.md":      {},
		"docs/a page.md": {},
		"docs/x.md": {Data: []byte("[a](../README.md#part) ![b](a%20page.md) [c](https://a.example/x) [d](#here) [e](.) " +
			"[f](gone.md#part), [g](../docs/gone/) and\n[h](../../outside.md \"title\")")},
	}
	dead, err := deadLinks(root, "docs/x.md")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"gone.md#part", "../docs/gone/", "../../outside.md"}, dead); diff != "" {
		t.Error(diff)
	}
}

// documents are the Markdown pages at the root and all below docs.
func documents(root fs.FS) ([]string, error) {
	pages, err := fs.Glob(root, "*.md")
	if err != nil {
		return nil, err
	}
	err = fs.WalkDir(root, "docs", func(name string, _ fs.DirEntry, err error) error {
		if path.Ext(name) == ".md" {
			pages = append(pages, name)
		}
		return err
	})
	return pages, err
}

// deadLinks are the relative links of a page that lead to no file or folder.
func deadLinks(root fs.FS, page string) ([]string, error) {
	text, err := fs.ReadFile(root, page)
	if err != nil {
		return nil, err
	}
	var dead []string
	for _, found := range link.FindAllStringSubmatch(string(text), -1) {
		target, err := url.Parse(found[1])
		if err != nil {
			return nil, errors.Join(errors.New(page), err)
		}
		if target.IsAbs() || target.Path == "" || strings.HasPrefix(target.Path, "/") {
			continue
		}
		if _, err := fs.Stat(root, path.Join(path.Dir(page), target.Path)); err != nil {
			dead = append(dead, found[1])
		}
	}
	return dead, nil
}
