package cache

import (
	"context"
	"errors"
	"net"
	"strconv"
	"syscall"
)

// errReplyTooLarge ends a connection whose peer announces more than can be
// meant. The client would reserve the announced length before the first byte of
// it arrives, which no recover can undo.
var errReplyTooLarge = errors.New("cache: Redis announced a reply beyond the bound")

const (
	// maxReplyItems bounds one aggregate: the keys of the widest lookup, the
	// nodes of the largest cluster, with room.
	maxReplyItems = 1 << 16
	// maxReplyLine bounds a line without its end, an error text say.
	maxReplyLine = 64 << 10
)

type dialFunc = func(ctx context.Context, network, addr string) (net.Conn, error)

// boundedDialer has every connection of dial checked by a replyGuard.
func boundedDialer(dial dialFunc, bulkLimit int) dialFunc {
	return func(ctx context.Context, network, addr string) (net.Conn, error) {
		conn, err := dial(ctx, network, addr)
		if err != nil {
			return nil, err
		}
		guarded := &boundedConn{Conn: conn, guard: replyGuard{bulkLimit: bulkLimit}}
		if raw, ok := conn.(syscall.Conn); ok {
			return &boundedRawConn{boundedConn: guarded, raw: raw}, nil
		}
		return guarded, nil
	}
}

// boundedConn reads through a replyGuard.
type boundedConn struct {
	net.Conn
	guard replyGuard
}

func (c *boundedConn) Read(p []byte) (int, error) {
	n, err := c.Conn.Read(p)
	if !c.guard.accept(p[:n]) {
		return 0, errReplyTooLarge
	}
	return n, err
}

// boundedRawConn keeps the descriptor in reach, by which the client notices
// that the peer closed an idle connection. A TLS connection has none to show.
type boundedRawConn struct {
	*boundedConn
	raw syscall.Conn
}

func (c *boundedRawConn) SyscallConn() (syscall.RawConn, error) { return c.raw.SyscallConn() }

// replyGuard follows the framing of RESP3 (https://redis.io/docs/latest/develop/reference/protocol-spec/)
// as it passes: every reply is lines, and bulk bytes after the lines that
// announce them. It knows no nesting and needs none.
type replyGuard struct {
	bulkLimit int
	// skip counts the bulk bytes still to pass, their line end included.
	skip int
	// line holds the beginning of the line being read: enough for a length.
	line   [24]byte
	length int
}

// accept follows b and reports whether all it announces is within bounds. A
// guard that has refused once must not be used again.
func (g *replyGuard) accept(b []byte) bool {
	for len(b) > 0 {
		if g.skip > 0 {
			n := min(g.skip, len(b))
			g.skip, b = g.skip-n, b[n:]
			continue
		}
		if !g.add(b[0]) {
			return false
		}
		b = b[1:]
	}
	return true
}

// add takes one byte of a line.
func (g *replyGuard) add(c byte) bool {
	if c != '\n' {
		if g.length < len(g.line) {
			g.line[g.length] = c
		}
		g.length++
		return g.length <= maxReplyLine
	}
	line := g.line[:min(g.length, len(g.line))]
	g.length = 0
	return g.announced(line)
}

// announced judges a whole line.
func (g *replyGuard) announced(line []byte) bool {
	if len(line) < 2 {
		return true // Not a reply; the client says so itself.
	}
	number := string(line[1:])
	if last := len(number) - 1; number[last] == '\r' {
		number = number[:last]
	}
	switch line[0] {
	case '$', '=', '!':
		return g.bulk(number)
	case '*', '~', '>', '%', '|':
		n, err := strconv.Atoi(number)
		return !errors.Is(err, strconv.ErrRange) && n <= maxReplyItems
	}
	return true
}

func (g *replyGuard) bulk(number string) bool {
	n, err := strconv.Atoi(number)
	if errors.Is(err, strconv.ErrRange) || n > g.bulkLimit {
		return false
	}
	if err == nil && n >= 0 {
		g.skip = n + len("\r\n")
	}
	return true
}
