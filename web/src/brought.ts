// A link may bring a token in its fragment, which no server sees. It is taken out of the address at
// once, and signs nobody in until the person has seen whose it is and says so.
export function fragment(): { token: string; setup: string } {
  const f = new URLSearchParams(location.hash.slice(1))
  const out = { token: f.get('token') ?? '', setup: f.get('setup') ?? '' }
  if (out.token || out.setup) history.replaceState(null, '', location.pathname + location.search)
  return out
}

export const brought = fragment()
