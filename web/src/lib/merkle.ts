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

// Tree is the root of leaves that come one by one: of each size that is a power of two at most one subtree is kept.
class Tree {
  size = 0
  private parts: { size: number; hash: Bytes }[] = []

  async add(l: Bytes): Promise<void> {
    let part = { size: 1, hash: await sha(join(new Uint8Array([0]), l)) }
    for (let last = this.parts.at(-1); last?.size === part.size; last = this.parts.at(-1)) {
      part = { size: 2 * part.size, hash: await sha(join(new Uint8Array([1]), last.hash, part.hash)) }
      this.parts.pop()
    }
    this.parts.push(part)
    this.size++
  }

  async root(): Promise<Bytes> {
    let root = this.parts.at(-1)?.hash ?? await sha(new Uint8Array())
    for (const p of this.parts.slice(0, -1).reverse()) root = await sha(join(new Uint8Array([1]), p.hash, root))
    return root
  }
}

// linesOf reads a stream of text line by line. What stands behind the last line's end is a line too.
async function* linesOf(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const reader = body.getReader()
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let rest = ''
  for (;;) {
    const { value, done } = await reader.read()
    const parts = (rest + decoder.decode(value, { stream: !done })).split('\n')
    rest = parts.pop()!
    yield* parts
    if (done) break
  }
  if (rest !== '') yield rest
}

const nothing = '0'.repeat(64)

// verifies computes whether a log as a file is whole: whether each entry is what its hash says and follows the one before
// it, and whether all of them are what the end signs for. lines is how many entries hold, or the line that does not.
// Whose signature that is takes a key that was kept elsewhere.
export async function verifies(body: ReadableStream<Uint8Array>, seen: (n: number) => void = () => {}): Promise<{ verdict: Verdict; lines: number }> {
  if (!globalThis.crypto?.subtle) return { verdict: 'unknown', lines: 0 }
  const tree = new Tree()
  let before = nothing
  let ended = false
  for await (const line of linesOf(body)) {
    const fails = { verdict: 'fails', lines: tree.size + 1 } as const
    if (ended) return fails
    let said: Entry & { no?: number; leaf?: string; checkpoint?: string }
    try {
      said = JSON.parse(line) as typeof said
    } catch {
      return fails
    }
    if (said.checkpoint !== undefined) {
      const [, size, root] = said.checkpoint.split('\n')
      if (Number(size) !== tree.size || !same(await tree.root(), base64(root ?? ''))) return fails
      ended = true
      continue
    }
    const l = await leaf(said, raw(line))
    const own = said.leaf !== undefined
    const follows = own ? said.no === tree.size + 1 && !said.sequence && same(l, base64(said.leaf!)) : said.sequence === tree.size + 1 && said.previous === before && said.hash === hex(l)
    if (!follows) return fails
    before = said.hash
    await tree.add(l)
    if (tree.size % 200 === 0) seen(tree.size)
  }
  return ended ? { verdict: 'holds', lines: tree.size } : { verdict: 'fails', lines: tree.size + 1 }
}
