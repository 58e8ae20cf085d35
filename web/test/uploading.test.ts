import { afterEach, beforeEach, expect, test, vi } from 'vitest'

import type { KnowledgeBase } from '../src/api/types'
import { standing, Uploading } from '../src/documents/uploading'

const base = { id: 'kb', name: 'Handbook', role: 'manager' } as KnowledgeBase

// answers are what the server gives to each file that is sent, by its name and in their order.
let answers: Record<string, number[]> = {}
let sent: { name: string; key: string; doc: string | null }[] = []
let jobs: string[] = []

class Request {
  status = 0
  responseText = ''
  upload = { onprogress: null }
  onload = () => {}
  onerror = () => {}
  onabort = () => {}
  #key = ''
  open() {}
  abort() { this.onabort() }
  setRequestHeader(k: string, v: string) { if (k.toLowerCase() === 'idempotency-key') this.#key = v }
  send(form: FormData) {
    const f = form.get('file') as File
    sent.push({ name: f.name, key: this.#key, doc: form.get('doc_key') as string | null })
    this.status = answers[f.name]?.shift() ?? 202
    this.responseText = JSON.stringify(this.status === 202 ? { job_id: 'job-' + f.name, document_id: 'd', unchanged: false } : { code: 'limit', detail: 'no' })
    queueMicrotask(() => (this.status === 0 ? this.onerror() : this.onload()))
  }
}

beforeEach(() => {
  vi.useFakeTimers()
  answers = {}; sent = []; jobs = []
  vi.stubGlobal('sessionStorage', { getItem: () => null })
  vi.stubGlobal('XMLHttpRequest', Request)
  vi.stubGlobal('fetch', (url: string) => { jobs.push(url); return Promise.resolve(new Response(JSON.stringify({ state: 'succeeded', stage: '', done: 1, total: 1, error: null, contents: [], notices: [] }))) })
})
afterEach(() => { vi.useRealTimers(); vi.unstubAllGlobals() })

const named = (name: string) => ({ name, file: new File(['x'], name.split('/').pop()!) })

test('a file that the server has no time for is sent again as the same request', async () => {
  const u = new Uploading(() => {})
  answers['a.md'] = [429, 0, 202]
  u.add(base, [named('a.md'), named('hr/b.md')])
  await vi.advanceTimersByTimeAsync(20_000)
  expect(sent.map((s) => s.name)).toEqual(['a.md', 'a.md', 'a.md', 'b.md'])
  expect(new Set(sent.slice(0, 3).map((s) => s.key)).size).toBe(1)
  expect(sent.map((s) => s.doc)).toEqual([null, null, null, 'hr/b.md'])
  expect(u.items.map(standing)).toEqual(['good', 'good'])
})

test('a refusal is not sent again, and stands until a person clears it', async () => {
  const u = new Uploading(() => {})
  answers['a.exe'] = [422]
  u.add(base, [named('a.exe'), named('b.md')])
  await vi.advanceTimersByTimeAsync(20_000)
  expect(sent).toHaveLength(2)
  expect(u.items.map(standing)).toEqual(['failed', 'good'])
  u.clear()
  expect(u.items).toEqual([])
})

test('what never arrived is sent by the person, with the key that it had', async () => {
  const u = new Uploading(() => {})
  answers['a.md'] = [0, 0, 0, 0]
  u.add(base, [named('a.md')])
  await vi.advanceTimersByTimeAsync(60_000)
  expect(u.items.map(standing)).toEqual(['failed'])
  u.again(u.items[0]!.key)
  await vi.advanceTimersByTimeAsync(20_000)
  expect(u.items.map(standing)).toEqual(['good'])
  expect(new Set(sent.map((s) => s.key)).size).toBe(1)
})

test('a folder of files asks after few jobs at a time, and hears of all of them', async () => {
  const told = vi.fn()
  const u = new Uploading(told)
  u.add(base, Array.from({ length: 300 }, (_, i) => named(`n${i}.md`)))
  await vi.advanceTimersByTimeAsync(450)
  expect(jobs.length).toBeLessThanOrEqual(16)
  await vi.advanceTimersByTimeAsync(60_000)
  expect(u.items.every((x) => standing(x) === 'good')).toBe(true)
  expect(told.mock.calls.length).toBeLessThan(40)
})

test('nothing is sent after the session is over', async () => {
  const u = new Uploading(() => {})
  answers['a.md'] = [429]
  u.add(base, [named('a.md'), named('b.md')])
  await vi.advanceTimersByTimeAsync(10)
  u.close()
  await vi.advanceTimersByTimeAsync(20_000)
  expect(sent.map((s) => s.name)).toEqual(['a.md'])
  expect(u.items).toEqual([])
})
