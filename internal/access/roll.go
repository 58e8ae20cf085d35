package access

import "math/bits"

// Roll is a list of resources, prepared so that a scope can be held against all of them at once.
// It is immutable and safe to share. It decides nothing itself: the rules are those of Admits, of
// which it uses that the policy is one condition, beside others that few resources differ in.
type Roll struct {
	resources []Resource
	frames    []Resource // the different resources, without their policies and what is the document's own
	framed    []marks    // by frame: the resources that have it
	policy    []int32    // by resource; nil if each has the policy of its own number
	policies  int
	open      []uint64 // the policies by which everyone passes who is not denied
	allow     map[Principal]marks
	deny      map[Principal]marks
}

// ownPolicies is how many names the policies of a resource have in the mean, at most, where resources of the same
// policy are not looked for: answers about policies are answers about resources then.
const ownPolicies = 32

// NewRoll prepares resources, which must not change any more.
func NewRoll(resources []Resource) *Roll {
	r := &Roll{resources: resources}
	type frame struct {
		tenant TenantID
		base   KnowledgeBaseID
		status Status
	}
	frames, names := map[frame]int32{}, 0
	var framed [][]int32
	for i, x := range resources {
		f := frame{x.Tenant, x.KnowledgeBase, x.Status}
		at, ok := frames[f]
		if !ok {
			at = int32(len(r.frames))
			frames[f] = at
			r.frames = append(r.frames, Resource{Tenant: f.tenant, KnowledgeBase: f.base, Status: f.status})
			framed = append(framed, nil)
		}
		framed[at] = append(framed[at], int32(i))
		names += len(x.Policy.Allow) + len(x.Policy.Deny)
	}
	for _, list := range framed {
		r.framed = append(r.framed, marked(list, len(resources)))
	}
	r.enter(names > ownPolicies*len(resources))
	return r
}

// enter notes whom the policies let in and whom they shut out. Those that several resources share are
// entered once if that is said.
func (r *Roll) enter(shared bool) {
	allow, deny, known := map[Principal][]int32{}, map[Principal][]int32{}, map[string]int32{}
	var key []byte
	for _, x := range r.resources {
		n := int32(r.policies)
		if shared {
			key = x.Policy.text(key[:0])
			at, ok := known[string(key)]
			if ok {
				r.policy = append(r.policy, at)
				continue
			}
			known[string(key)] = n
			r.policy = append(r.policy, n)
		}
		if r.policies%64 == 0 {
			r.open = append(r.open, 0)
		}
		if !x.Policy.Restricted {
			r.open[n/64] |= 1 << (n % 64)
		}
		r.policies++
		for _, who := range x.Policy.Allow {
			allow[who] = append(allow[who], n)
		}
		for _, who := range x.Policy.Deny {
			deny[who] = append(deny[who], n)
		}
	}
	r.allow, r.deny = make(map[Principal]marks, len(allow)), make(map[Principal]marks, len(deny))
	for who, list := range allow {
		r.allow[who] = marked(list, r.policies)
	}
	for who, list := range deny {
		r.deny[who] = marked(list, r.policies)
	}
}

// marks are some of many numbers: as bits, or as a list where they are few.
type marks struct {
	list []int32
	bits []uint64
}

// marked makes marks of a list of numbers below n.
func marked(list []int32, n int) marks {
	if len(list) < n/128 {
		return marks{list: list}
	}
	m := marks{bits: make([]uint64, (n+63)/64)}
	for _, i := range list {
		m.bits[i/64] |= 1 << (i % 64)
	}
	return m
}

// set sets the marked bits.
func (m marks) set(words []uint64) {
	for _, i := range m.list {
		words[i/64] |= 1 << (i % 64)
	}
	for i, w := range m.bits {
		words[i] |= w
	}
}

// clear clears the marked bits.
func (m marks) clear(words []uint64) {
	for _, i := range m.list {
		words[i/64] &^= 1 << (i % 64)
	}
	for i, w := range m.bits {
		words[i] &^= w
	}
}

// text writes a policy so that no two different ones are written alike.
func (p Policy) text(to []byte) []byte {
	if p.Restricted {
		to = append(to, 'r')
	}
	for _, list := range [][]Principal{p.Allow, p.Deny} {
		to = append(to, '\n')
		for _, who := range list {
			to = append(append(to, who...), 0)
		}
	}
	return to
}

// Len returns the number of resources.
func (r *Roll) Len() int { return len(r.resources) }

// Judge returns Admits for every resource of the roll: a bit each, in its order, the first ones lowest.
func (s Scope) Judge(r *Roll) []uint64 {
	if s.valid && s.second != nil {
		return s.judgeBoth(r)
	}
	out := make([]uint64, (len(r.resources)+63)/64)
	if !s.valid {
		return out
	}
	apart := s.unscoped || s.docKey != "" || !s.from.IsZero() || !s.to.IsZero() || !s.asOf.IsZero()
	for i, f := range r.frames {
		if apart || s.Admits(f) {
			r.framed[i].set(out)
		}
	}
	if !s.unscoped {
		r.pass(s, out)
	}
	if apart {
		keep(out, func(i int) bool { return s.Admits(r.resources[i]) })
	}
	return out
}

// pass leaves those of the resources whose policy the scope passes.
func (r *Roll) pass(s Scope, resources []uint64) {
	passed := make([]uint64, len(r.open))
	copy(passed, r.open)
	for who := range s.principals {
		r.allow[who].set(passed)
	}
	for who := range s.principals {
		r.deny[who].clear(passed)
	}
	if r.policy == nil {
		for i := range resources {
			resources[i] &= passed[i]
		}
		return
	}
	keep(resources, func(i int) bool { n := r.policy[i]; return passed[n/64]>>(n%64)&1 != 0 })
}

// keep clears the bits that are set of which the function says no.
func keep(words []uint64, fn func(i int) bool) {
	for i, word := range words {
		for w := word; w != 0; w &= w - 1 {
			if at := bits.TrailingZeros64(w); !fn(i*64 + at) {
				words[i] &^= 1 << at
			}
		}
	}
}
