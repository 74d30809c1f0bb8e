package cachetest

import (
	"fmt"
	"net"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"
)

const (
	masters  = 3
	allSlots = 16384
)

// RedisCluster is a Redis Cluster on the loopback interface.
type RedisCluster struct {
	tb testing.TB
	// Masters own a third of the slots each, in order. Replicas follow the
	// master of the same place; there may be none.
	Masters  []*Server
	Replicas []*Server
}

// Cluster starts three masters, and a replica for each if asked. It ends with
// the test.
func Cluster(tb testing.TB, withReplicas bool) *RedisCluster {
	tb.Helper()
	c := &RedisCluster{tb: tb}
	for range masters {
		c.Masters = append(c.Masters, clusterNode(tb))
	}
	if withReplicas {
		for range masters {
			c.Replicas = append(c.Replicas, clusterNode(tb))
		}
	}
	c.join()
	return c
}

func clusterNode(tb testing.TB) *Server {
	tb.Helper()
	_, bus, _ := net.SplitHostPort(FreeAddr(tb))
	return Redis(tb, "--cluster-enabled", "yes", "--cluster-port", bus,
		"--cluster-node-timeout", "2000", "--cluster-allow-replica-migration", "no",
		"--repl-diskless-sync-delay", "0")
}

func (c *RedisCluster) join() {
	c.tb.Helper()
	for i, node := range c.Masters {
		node.Do("CLUSTER", "ADDSLOTSRANGE", i*allSlots/masters, (i+1)*allSlots/masters-1)
	}
	first := c.Masters[0]
	for i, node := range c.nodes() {
		node.Do("CLUSTER", "SET-CONFIG-EPOCH", i+1)
		if node != first {
			node.Do("CLUSTER", "MEET", "127.0.0.1", first.Port(), busPort(first))
		}
	}
	c.await("nodes to know each other", func() bool { return c.all(fmt.Sprintf("cluster_known_nodes:%d\r", len(c.nodes()))) })
	for i, replica := range c.Replicas {
		replica.Do("CLUSTER", "REPLICATE", c.Masters[i].Do("CLUSTER", "MYID"))
	}
	c.await("cluster to be up", func() bool { return c.all("cluster_state:ok") && c.replicating() })
}

// busPort is the cluster port of first.
func busPort(first *Server) string {
	for i, arg := range first.args {
		if arg == "--cluster-port" {
			return first.args[i+1]
		}
	}
	return ""
}

func (c *RedisCluster) nodes() []*Server {
	return slices.Concat(c.Masters, c.Replicas)
}

// all reports whether every node's CLUSTER INFO contains text.
func (c *RedisCluster) all(text string) bool {
	for _, node := range c.nodes() {
		info, _ := node.Do("CLUSTER", "INFO").(string)
		if !strings.Contains(info, text) {
			return false
		}
	}
	return true
}

func (c *RedisCluster) replicating() bool {
	for _, replica := range c.Replicas {
		info, _ := replica.Do("INFO", "replication").(string)
		if !strings.Contains(info, "master_link_status:up") {
			return false
		}
	}
	return true
}

func (c *RedisCluster) await(what string, ready func() bool) {
	c.tb.Helper()
	until := time.Now().Add(readyWithin)
	for !ready() {
		if time.Now().After(until) {
			c.tb.Fatalf("waited in vain for the %s", what)
		}
		<-time.After(10 * time.Millisecond)
	}
}

// URL names all nodes.
func (c *RedisCluster) URL() string {
	others := url.Values{}
	for _, node := range c.nodes()[1:] {
		others.Add("addr", node.Addr())
	}
	return c.Masters[0].URL() + "?" + others.Encode()
}

// MasterOf returns the master that owns the slot of key at the start.
func (c *RedisCluster) MasterOf(key string) *Server {
	c.tb.Helper()
	slot, _ := c.Masters[0].Do("CLUSTER", "KEYSLOT", key).(int64)
	for i := range c.Masters {
		if int(slot) < (i+1)*allSlots/masters {
			return c.Masters[i]
		}
	}
	c.tb.Fatalf("no master for slot %d", slot)
	return nil
}
