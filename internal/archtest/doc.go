// Package archtest keeps the shape of the module: which room may import which,
// what every package and exported name must say, and how large a file or a
// function may grow. It consists of tests alone and fails with a sentence that
// names the place and the mend.
package archtest
