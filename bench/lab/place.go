package lab

import "github.com/hedgehop/hedgehop/bench/origin"

// mostReplicas is how many a workload needs at most: ten providers, or one with
// three replicas.
const mostReplicas = 10

// Sockets opens the origins of a laboratory with real sockets and returns its
// Providers and what closes them.
func Sockets() (providers func(Workload) []origin.Provider, end func(), err error) {
	farm, err := origin.Listen(mostReplicas)
	if err != nil {
		return nil, nil, err
	}
	return func(w Workload) []origin.Provider {
		var all []origin.Provider
		for n := range w.providers() {
			all = append(all, farm.Provider(n*w.replicas(), (n+1)*w.replicas()))
		}
		return all
	}, farm.Close, nil
}

// Virtual is the Providers of a laboratory in virtual time.
func Virtual(w Workload) []origin.Provider {
	var all []origin.Provider
	for range w.providers() {
		all = append(all, origin.Virtual(w.replicas()))
	}
	return all
}
