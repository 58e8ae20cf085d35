package worker

import "runtime/metrics"

// heldByGo returns how many bytes the Go runtime has taken from the system and not given back.
func heldByGo() int64 {
	sample := []metrics.Sample{{Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/released:bytes"}}
	metrics.Read(sample)
	return int64(sample[0].Value.Uint64() - sample[1].Value.Uint64())
}
