//go:build !race

package conflict

const detecting = false
