import type { Entry, Proof } from '../api/types'

export type Verdict = 'holds' | 'fails' | 'unknown'

const text = new TextEncoder()
type Bytes = Uint8Array<ArrayBuffer>

const sha = async (b: Bytes): Promise<Bytes> => new Uint8Array(await crypto.subtle.digest('SHA-256', b))

function join(...parts: Bytes[]): Bytes {
  const out = new Uint8Array(parts.reduce((n, p) => n + p.length, 0))
  let at = 0
  for (const p of parts) { out.set(p, at); at += p.length }
  return out
}

const base64 = (s: string): Bytes => Uint8Array.from(atob(s), (c) => c.charCodeAt(0))
const same = (a: Bytes, b: Bytes) => a.length === b.length && a.every((x, i) => x === b[i])

// digest is the hash of parts with the length of each in front.
function digest(...parts: string[]): Promise<Bytes> {
  return sha(join(...parts.flatMap((p) => {
    const b = text.encode(p)
    const n = new Uint8Array(8)
    new DataView(n.buffer).setBigUint64(0, BigInt(b.length))
    return [n, b]
  })))
}

// raw returns the bytes of an entry's body as the server wrote them: what was hashed are these.
export function raw(answer: string): string {
  const from = answer.indexOf('"body":') + '"body":'.length
  let depth = 0
  let quoted = false
  for (let i = from; i < answer.length; i++) {
    const c = answer[i]
    if (quoted) { if (c === '\\') i++; else if (c === '"') quoted = false } else if (c === '"') quoted = true
    else if (c === '{' || c === '[') depth++
    else if ((c === '}' || c === ']') && --depth === 0) return answer.slice(from, i + 1)
  }
  return ''
}

// canonical writes JSON in the one form of RFC 8785, which is how this language writes it, with the
// members of objects in the order of their names.
export function canonical(v: unknown): string {
  if (Array.isArray(v)) return `[${v.map(canonical).join(',')}]`
  if (v === null || typeof v !== 'object') return JSON.stringify(v)
  return `{${Object.keys(v).sort().map((k) => `${JSON.stringify(k)}:${canonical((v as Record<string, unknown>)[k])}`).join(',')}}`
}

const hex = (b: Bytes) => Array.from(b, (x) => x.toString(16).padStart(2, '0')).join('')

// says reports whether a JSON text says a value.
function says(written: string, value: unknown): boolean {
  try {
    return canonical(JSON.parse(written)) === canonical(value)
  } catch {
    return false
  }
}

// covered is what the hash of an entry covers of its body: the bytes of it, or in the second form its
// citations by the hash of each, so that one of them can be withheld.
async function covered(e: Entry, written: string): Promise<{ form: number; body: string }> {
  if (e.body.form !== 2) return { form: 1, body: written }
  const body = { ...e.body }
  for (const name of ['citations', 'cited']) {
    const list = body[name]
    if (!Array.isArray(list)) continue
    body[name] = await Promise.all(list.map(async (c: { ref?: string; withheld?: boolean; hash?: string }) => ({
      ref: c.ref ?? '', withheld: true, hash: c.withheld ? c.hash : hex(await sha(text.encode(canonical(c)))),
    })))
  }
  return { form: 2, body: canonical(body) }
}

// leaf is what the tree of the log holds of an entry, computed from what the entry says.
async function leaf(e: Entry, written: string): Promise<Bytes> {
  const { form, body } = await covered(e, written)
  const own = [e.id, e.tenant_id, e.kind, e.run_id ?? '', e.actor, e.time, body]
  return e.sequence ? digest(`kaoju-ledger-${form}`, String(e.sequence), ...own, e.previous ?? '') : digest(`kaoju-entry-${form}`, ...own, e.hash)
}

// proves computes whether the path of a proof leads from its entry to the root of its checkpoint
// (RFC 9162, 2.1.3.2), and whether that is the entry that was asked for. What is hashed are the bytes
// of the body, so these must also say what is shown of it. Where a page has no cryptography, as over
// plain HTTP, nobody can know more.
export async function proves(p: Proof, answer: string, asked: Pick<Entry, 'id' | 'hash'>): Promise<Verdict> {
  const written = raw(answer)
  if (p.entry.id !== asked.id || p.entry.hash !== asked.hash || !says(written, p.entry.body)) return 'fails'
  if (!globalThis.crypto?.subtle) return 'unknown'
  const lines = p.checkpoint.split('\n')
  const size = Number(lines[1])
  if (!(p.index < size)) return 'fails'
  let hash = await sha(join(new Uint8Array([0]), await leaf(p.entry, written)))
  let fn = p.index
  let sn = size - 1
  for (const h of p.hashes.map(base64)) {
    if (sn === 0) return 'fails'
    if (fn % 2 === 1 || fn === sn) {
      hash = await sha(join(new Uint8Array([1]), h, hash))
      while (fn % 2 === 0 && fn !== 0) { fn = Math.floor(fn / 2); sn = Math.floor(sn / 2) }
    } else hash = await sha(join(new Uint8Array([1]), hash, h))
    fn = Math.floor(fn / 2)
    sn = Math.floor(sn / 2)
  }
  return sn === 0 && same(hash, base64(lines[2] ?? '')) ? 'holds' : 'fails'
}
