import { describe, expect, it } from 'vitest'

import type { Entry, Proof } from '../src/api/types'
import { canonical, proves, raw, verifies } from '../src/lib/merkle'

// A log of five entries is built here from its definition (RFC 6962), apart from the code that is tested.
const sha = async (...parts: Uint8Array[]) => new Uint8Array(await crypto.subtle.digest('SHA-256', Uint8Array.from(parts.flatMap((p) => [...p]))))
const coded = (s: string) => new TextEncoder().encode(s)
const base64 = (b: Uint8Array) => btoa(String.fromCharCode(...b))

const digest = (...parts: string[]) => sha(...parts.flatMap((p) => [new Uint8Array([0, 0, 0, 0, 0, 0, coded(p).length >> 8, coded(p).length & 255]), coded(p)]))

const entry = (n: number): Entry => ({ id: `led_${n}`, tenant_id: 'acme', kind: 'run.ended', run_id: '', actor: 'alice', time: '2026-05-01T00:00:00.5Z', body: { n, text: '"}\\ 中' }, hash: 'h' + n })

async function tree(leaves: Uint8Array[]): Promise<Uint8Array> {
  if (leaves.length === 1) return sha(new Uint8Array([0]), leaves[0]!)
  const k = 2 ** Math.floor(Math.log2(leaves.length - 1))
  return sha(new Uint8Array([1]), await tree(leaves.slice(0, k)), await tree(leaves.slice(k)))
}

async function path(leaves: Uint8Array[], i: number): Promise<Uint8Array[]> {
  if (leaves.length === 1) return []
  const k = 2 ** Math.floor(Math.log2(leaves.length - 1))
  return i < k ? [...(await path(leaves.slice(0, k), i)), await tree(leaves.slice(k))] : [...(await path(leaves.slice(k), i - k)), await tree(leaves.slice(0, k))]
}

async function proof(size: number, index: number): Promise<Proof> {
  const leaves = await Promise.all(Array.from({ length: size }, (_, n) => {
    const e = entry(n)
    return digest('kaoju-entry-1', e.id, e.tenant_id, e.kind, '', e.actor, e.time, JSON.stringify(e.body), e.hash)
  }))
  return { entry: entry(index), index, hashes: (await path(leaves, index)).map(base64), checkpoint: `origin\n${size}\n${base64(await tree(leaves))}\n\n— signature\n`, key: '' }
}

describe('a proof of the ledger', () => {
  it('holds for every entry of logs of every small size', async () => {
    for (let size = 1; size <= 9; size++) {
      for (let i = 0; i < size; i++) {
        const p = await proof(size, i)
        expect(await proves(p, JSON.stringify(p), p.entry), `${i} of ${size}`).toBe('holds')
      }
    }
  })
  it('fails for an entry, a path, a place or a root that is another', async () => {
    const spoil: Record<string, (p: Proof) => void> = {
      actor: (p) => { p.entry.actor = 'bob' },
      body: (p) => { p.entry.body = { n: 99 } },
      time: (p) => { p.entry.time = '2026-05-01T00:00:00.6Z' },
      place: (p) => { p.index = 2 },
      'a place beyond the log': (p) => { p.index = 5 },
      path: (p) => { p.hashes[0] = base64(new Uint8Array(32)) },
      'a longer path': (p) => { p.hashes.push(p.hashes[0]!) },
      'a shorter path': (p) => { p.hashes.pop() },
      root: (p) => { p.checkpoint = p.checkpoint.replace(/\n5\n[^\n]*/, `\n5\n${base64(new Uint8Array(32))}`) },
    }
    for (const [name, change] of Object.entries(spoil)) {
      const p = await proof(5, 3)
      change(p)
      expect(await proves(p, JSON.stringify(p), p.entry), name).toBe('fails')
    }
  })
  it('fails where it is of another entry than the one that was asked for', async () => {
    const p = await proof(5, 3)
    expect(await proves(p, JSON.stringify(p), entry(3))).toBe('holds')
    expect(await proves(p, JSON.stringify(p), entry(2))).toBe('fails')
    expect(await proves(p, JSON.stringify(p), { ...entry(3), hash: 'another' })).toBe('fails')
  })
  it('fails where the bytes that are proved say another body than the one that is shown', async () => {
    const p = await proof(5, 3)
    const honest = JSON.stringify(p)
    for (const answer of [
      honest.replace('"body":', `"body":${JSON.stringify(p.entry.body)},"body":{"n":99},"was":`),
      `{"first":{"body":${JSON.stringify(p.entry.body)}},${honest.slice(1).replace('"n":3', '"n":99')}`,
      '{}',
    ]) expect(await proves({ ...p, ...(JSON.parse(answer) as object) }, answer, entry(3)), answer).toBe('fails')
  })
  it('holds in the second form also where a citation is withheld', async () => {
    const cited = { ref: 'S1', document_id: 'doc-a', excerpt_hash: 'x' }
    const hash = [...(await sha(coded('{"document_id":"doc-a","excerpt_hash":"x","ref":"S1"}')))].map((b) => b.toString(16).padStart(2, '0')).join('')
    const covered = `{"citations":[{"hash":"${hash}","ref":"S1","withheld":true}],"form":2}`
    const e = { ...entry(0), body: { form: 2, citations: [cited] } as Record<string, unknown> }
    const root = await tree([await digest('kaoju-entry-2', e.id, e.tenant_id, e.kind, '', e.actor, e.time, covered, e.hash)])
    for (const citation of [cited, { ref: 'S1', withheld: true, hash }]) {
      const p: Proof = { entry: { ...e, body: { form: 2, citations: [citation] } }, index: 0, hashes: [], checkpoint: `o\n1\n${base64(root)}\n`, key: '' }
      expect(await proves(p, JSON.stringify(p), p.entry)).toBe('holds')
    }
    const other: Proof = { entry: { ...e, body: { form: 2, citations: [{ ...cited, document_id: 'doc-b' }] } }, index: 0, hashes: [], checkpoint: `o\n1\n${base64(root)}\n`, key: '' }
    expect(await proves(other, JSON.stringify(other), other.entry)).toBe('fails')
  })
})

it('the bytes of a body are taken as they were written', () => {
  expect(raw('{"entry":{"id":"a","body":{"x":"}\\"{","n":[1.50,{}]},"hash":"h"},"index":0}')).toBe('{"x":"}\\"{","n":[1.50,{}]}')
})

it('canonical JSON has its members in order, at every depth', () => {
  expect(canonical({ b: [{ z: 1, a: null }], a: '\u20ac"' })).toBe('{"a":"€\\"","b":[{"a":null,"z":1}]}')
})

// A whole log as a file is built here from its definition, apart from the code that is tested.
const hex = (b: Uint8Array) => [...b].map((x) => x.toString(16).padStart(2, '0')).join('')

async function file(size: number, own: boolean): Promise<string[]> {
  const lines: string[] = []
  const leaves: Uint8Array[] = []
  let previous = '0'.repeat(64)
  for (let n = 1; n <= size; n++) {
    const e = { ...entry(n), ...(own ? { sequence: 0, previous: '' } : { sequence: n, previous }) }
    const said = [e.id, e.tenant_id, e.kind, '', e.actor, e.time, JSON.stringify(e.body)]
    const leaf = own ? await digest('kaoju-entry-1', ...said, e.hash) : await digest('kaoju-ledger-1', String(n), ...said, previous)
    leaves.push(leaf)
    if (!own) previous = e.hash = hex(leaf)
    lines.push(JSON.stringify(own ? { ...e, no: n, leaf: base64(leaf) } : e))
  }
  const root = size ? await tree(leaves) : await sha()
  return [...lines, JSON.stringify({ checkpoint: `origin\n${size}\n${base64(root)}\n\n— signature\n`, key: 'k' })]
}

// sent is a stream that breaks wherever it likes.
const sent = (lines: string[]) => new Blob([lines.join('\n') + '\n']).stream() as ReadableStream<Uint8Array>

describe('a whole log', () => {
  it('holds, of every size and of either kind', async () => {
    for (const own of [false, true]) for (let n = 0; n <= 9; n++) expect(await verifies(sent(await file(n, own))), `${own} ${n}`).toEqual({ verdict: 'holds', lines: n })
  })
  it('fails at the line where something was changed, left out, moved, put in or cut off', async () => {
    for (const own of [false, true]) {
      const whole = await file(6, own)
      const other = await file(5, own)
      const spoilt: Record<string, [string[], number]> = {
        'an actor': [whole.map((l, i) => (i === 2 ? l.replace('"alice"', '"bob"') : l)), 3],
        'a body': [whole.map((l, i) => (i === 3 ? l.replace('"n":4', '"n":5') : l)), 4],
        'an entry left out': [whole.filter((_, i) => i !== 1), 2],
        'the last entry left out': [whole.filter((_, i) => i !== 5), 6],
        'two entries moved': [[whole[0]!, whole[2]!, whole[1]!, ...whole.slice(3)], 2],
        'an entry twice': [[whole[0]!, ...whole], 2],
        'another end': [[...whole.slice(0, 6), other[5]!], 7],
        'no end': [whole.slice(0, 6), 7],
        'more behind the end': [[...whole, whole[0]!], 7],
        'no JSON': [['{', ...whole], 1],
        nothing: [[], 1],
      }
      for (const [name, [lines, at]] of Object.entries(spoilt)) expect(await verifies(sent(lines)), `${own} ${name}`).toEqual({ verdict: 'fails', lines: at })
    }
  })
})
