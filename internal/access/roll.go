package access

// Roll is a list of resources, prepared so that a scope can be held against all of them at once.
// It is immutable and safe to share. It decides nothing itself: the rules are those of Admits, of
// which it uses that the policy is one condition, beside others that few resources differ in.
type Roll struct {
	resources []Resource
	rows      []row
	frames    []Resource // the different resources, without their policies and what is the document's own
	open      []bool     // by policy: everyone passes who is not denied
	allow     map[Principal][]int32
	deny      map[Principal][]int32
}

// row says which frame and which policy a resource has.
type row struct{ frame, policy int32 }

// NewRoll prepares resources, which must not change any more.
func NewRoll(resources []Resource) *Roll {
	r := &Roll{
		resources: resources, rows: make([]row, len(resources)),
		allow: map[Principal][]int32{}, deny: map[Principal][]int32{},
	}
	type frame struct {
		tenant TenantID
		base   KnowledgeBaseID
		status Status
	}
	frames, policies := map[frame]int32{}, map[string]int32{}
	var key []byte
	for i, x := range resources {
		f := frame{x.Tenant, x.KnowledgeBase, x.Status}
		at, ok := frames[f]
		if !ok {
			at = int32(len(r.frames))
			frames[f] = at
			r.frames = append(r.frames, Resource{Tenant: f.tenant, KnowledgeBase: f.base, Status: f.status})
		}
		key = x.Policy.text(key[:0])
		policy, ok := policies[string(key)]
		if !ok {
			policy = int32(len(r.open))
			policies[string(key)] = policy
			r.enter(policy, x.Policy)
		}
		r.rows[i] = row{at, policy}
	}
	return r
}

// enter notes whom a policy lets in and whom it shuts out.
func (r *Roll) enter(n int32, p Policy) {
	r.open = append(r.open, !p.Restricted)
	for _, who := range p.Allow {
		r.allow[who] = append(r.allow[who], n)
	}
	for _, who := range p.Deny {
		r.deny[who] = append(r.deny[who], n)
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
func (r *Roll) Len() int { return len(r.rows) }

// Judge returns Admits for every resource of the roll, in its order.
func (s Scope) Judge(r *Roll) []bool {
	if s.valid && s.second != nil {
		return s.judgeBoth(r)
	}
	out := make([]bool, len(r.rows))
	if !s.valid {
		return out
	}
	if s.unscoped || s.docKey != "" || !s.from.IsZero() || !s.to.IsZero() || !s.asOf.IsZero() {
		pass := s.pass(r)
		for i, x := range r.rows {
			out[i] = (s.unscoped || pass[x.policy]) && s.Admits(r.resources[i])
		}
		return out
	}
	frames := make([]bool, len(r.frames))
	for i, f := range r.frames {
		frames[i] = s.Admits(f)
	}
	pass := s.pass(r)
	for i, x := range r.rows {
		out[i] = frames[x.frame] && pass[x.policy]
	}
	return out
}

// pass returns the answers of passes for the roll's policies.
func (s Scope) pass(r *Roll) []bool {
	out := make([]bool, len(r.open))
	copy(out, r.open)
	for who := range s.principals {
		for _, n := range r.allow[who] {
			out[n] = true
		}
	}
	for who := range s.principals {
		for _, n := range r.deny[who] {
			out[n] = false
		}
	}
	return out
}
