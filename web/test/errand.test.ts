import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { Errand } from '../src/api/errand'

// The server here notes the keys, and answers as it is told.
const keys: string[] = []
let answer: () => Promise<Response>
const done = () => Promise.resolve(new Response('{"id":"made"}', { status: 201 }))
const lost = () => Promise.reject(new TypeError('connection reset'))
const refused = () => Promise.resolve(new Response('{"code":"conflict"}', { status: 409 }))

beforeEach(() => {
  keys.length = 0
  vi.stubGlobal('sessionStorage', { getItem: () => null })
  vi.stubGlobal('fetch', (_: string, init: RequestInit) => { keys.push(new Headers(init.headers).get('Idempotency-Key') ?? ''); return answer() })
})
afterEach(() => vi.unstubAllGlobals())

async function ask(e: Errand, how: () => Promise<Response>, path: string, body?: unknown) {
  answer = how
  await e.post(path, body).catch(() => {})
  return keys.at(-1)!
}

describe('the key of an errand', () => {
  it('is the same while its answer is lost or it is refused', async () => {
    const e = new Errand()
    const first = await ask(e, lost, '/api/runs', { goal: 'a' })
    expect(first).not.toBe('')
    expect(await ask(e, refused, '/api/runs', { goal: 'a' })).toBe(first)
    expect(await ask(e, done, '/api/runs', { goal: 'a' })).toBe(first)
  })
  it('is another one for other content, and for another place', async () => {
    const e = new Errand()
    const sent = [
      await ask(e, lost, '/api/runs', { goal: 'a' }), await ask(e, lost, '/api/runs', { goal: 'a', as_of: '2026-01-01' }),
      await ask(e, lost, '/api/runs', { goal: 'a' }), await ask(e, lost, '/api/tokens', { goal: 'a' }), await ask(e, lost, '/api/tokens'),
    ]
    expect(new Set(sent).size).toBe(5)
  })
  it('is another one after it was done', async () => {
    const e = new Errand()
    const first = await ask(e, done, '/api/feedback', { verdict: 'wrong' })
    expect(await ask(e, done, '/api/feedback', { verdict: 'wrong' })).not.toBe(first)
  })
  it('stays with a request that was begun before the answer to another came', async () => {
    const e = new Errand()
    const answers: ((r: Response) => void)[] = []
    answer = () => new Promise((r) => answers.push(r))
    const slow = e.post('/api/runs', { goal: 'a' })
    void e.post('/api/runs', { goal: 'b' }).catch(() => {})
    answers[0]!(await done())
    await slow
    expect(await ask(e, lost, '/api/runs', { goal: 'b' })).toBe(keys[1])
  })
})
