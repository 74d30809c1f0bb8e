//go:build image

package deploytest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// buildah builds with a store of its own, so that nothing is left behind and no
// image of this machine is taken by mistake. It needs root, as in a container of
// CI, and no network: the bases are made from the toolchain that runs the test.
type buildah struct {
	env []string
}

func newBuildah(t *testing.T) buildah {
	t.Helper()
	for _, tool := range []string{"buildah", "unshare", "chroot"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Fatalf("%v: apt-get install buildah util-linux coreutils", err)
		}
	}
	dir := t.TempDir()
	store := fmt.Sprintf("[storage]\ndriver = \"overlay\"\ngraphroot = %q\nrunroot = %q\n", dir+"/graph", dir+"/run")
	write(t, filepath.Join(dir, "storage.conf"), store, 0o600)
	b := buildah{env: append(os.Environ(), "CONTAINERS_STORAGE_CONF="+dir+"/storage.conf", "CONTAINER_TOOL=buildah", "VERSION="+version)}
	t.Cleanup(func() {
		b.run(t, "", "buildah", "umount", "--all")
		b.run(t, "", "buildah", "rm", "--all")
		b.run(t, "", "buildah", "rmi", "--all", "--force")
	})
	return b
}

// run answers what the command writes to its standard output.
func (b buildah) run(t *testing.T, dir, name string, args ...string) string {
	t.Helper()
	var stdout, stderr bytes.Buffer
	command := exec.Command(name, args...) // No context: it also cleans up after the test's own.
	command.Dir, command.Env, command.Stdout, command.Stderr = dir, b.env, &stdout, &stderr
	if err := command.Run(); err != nil {
		t.Fatalf("%s %s: %v\n%s%s", name, strings.Join(args, " "), err, stdout.String(), stderr.String())
	}
	return strings.TrimSpace(stdout.String())
}

// standIns makes bases with what the build asks of the real ones: a shell, CA roots
// and Go's variables for the compiler (the toolchain itself is mounted); CA roots
// alone for the binary.
func (b buildah) standIns(t *testing.T) {
	t.Helper()
	const roots = "/etc/ssl/certs/ca-certificates.crt"
	compiler := t.TempDir()
	copyInto(t, compiler, roots, roots)
	copyInto(t, compiler, "/bin/sh", "/bin/sh")
	for _, library := range libraries(t, b, "/bin/sh") {
		copyInto(t, compiler, library, library)
	}
	write(t, compiler+"/tmp/.keep", "", 0o600)
	write(t, compiler+"/Dockerfile", "FROM scratch\nCOPY . /\n"+
		"ENV GOPATH=/go GOCACHE=/cache GOTOOLCHAIN=local GOPROXY=off PATH=/usr/local/go/bin:/bin HOME=/\n", 0o600)
	b.run(t, compiler, "buildah", "build", "-q", "-t", "stand-in/build", ".")

	base := t.TempDir()
	copyInto(t, base, roots, roots)
	write(t, base+"/Dockerfile", "FROM scratch\nCOPY etc /etc\n", 0o600)
	b.run(t, base, "buildah", "build", "-q", "-t", "stand-in/runtime", ".")
}

// libraries are the shared ones that a program needs, its loader included.
func libraries(t *testing.T, b buildah, program string) []string {
	t.Helper()
	return regexp.MustCompile(`/\S+\.so\S*`).FindAllString(b.run(t, "", "ldd", program), -1)
}

// build runs deploy/image.sh as `make image` does.
func (b buildah) build(t *testing.T, target string) {
	t.Helper()
	// What the module cache lacks is fetched here: the build has no network.
	b.run(t, root, "go", "mod", "download")
	env := func(name string) string { return b.run(t, root, "go", "env", name) }
	b.run(t, root, "deploy/image.sh", "localhost/test/"+target, "--target", target,
		"--isolation", "chroot", "--pull-never", "-q",
		"--build-arg", "BUILD_IMAGE=localhost/stand-in/build", "--build-arg", "RUNTIME_IMAGE=localhost/stand-in/runtime",
		"-v", env("GOROOT")+":/usr/local/go:ro", "-v", env("GOMODCACHE")+":/go/pkg/mod", "-v", env("GOCACHE")+":/cache")
}

// image is a built image: how it runs, and its files.
type image struct {
	root            string
	User            string
	Entrypoint, Cmd []string
	Env             []string
	Labels          map[string]string
}

// mount makes the files of an image readable below its root.
func (b buildah) mount(t *testing.T, target string) image {
	t.Helper()
	var inspected struct {
		OCIv1 struct {
			Config image `json:"config"`
		}
	}
	text := b.run(t, "", "buildah", "inspect", "--type", "image", "localhost/test/"+target)
	if err := json.Unmarshal([]byte(text), &inspected); err != nil {
		t.Fatal(err)
	}
	found := inspected.OCIv1.Config
	found.root = b.run(t, "", "buildah", "mount", b.run(t, "", "buildah", "from", "--pull-never", "localhost/test/"+target))
	return found
}

// copyInto copies a file of this machine to a place below root, links followed.
func copyInto(t *testing.T, root, from, to string) {
	t.Helper()
	text, err := os.ReadFile(from)
	if err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(from)
	if err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(root, to), string(text), info.Mode().Perm())
}

func write(t *testing.T, path, text string, mode os.FileMode) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), mode); err != nil {
		t.Fatal(err)
	}
}
