//go:build !race

package claim

const detecting = false
