import { afterEach, beforeEach, expect, test, vi } from 'vitest'

import { follow } from '../src/api/stream'
import type { RunEvent } from '../src/api/types'

const text = (n: number, type = 'run.answer.delta') => `id: r:${n}\ndata: ${JSON.stringify({ id: `r:${n}`, sequence: n, run_id: 'r', type, data: {} })}\n\n`

// served are the streams that the server gives, one for each time that it is asked.
let served: ReadableStream<Uint8Array>[] = []
let asked: (string | null)[] = []

function stream(parts: string[], end: 'ends' | 'breaks' | 'stays') {
  return new ReadableStream<Uint8Array>({
    async pull(to) {
      const next = parts.shift()
      if (next !== undefined) { await Promise.resolve(); to.enqueue(new TextEncoder().encode(next)) }
      else if (end === 'ends') to.close()
      else if (end === 'breaks') to.error(new Error('cut'))
      else await new Promise(() => {})
    },
  })
}

beforeEach(() => {
  served = []; asked = []
  vi.stubGlobal('sessionStorage', { getItem: () => null })
  vi.stubGlobal('fetch', (_: string, init: RequestInit) => { asked.push((init.headers as Headers).get('Last-Event-ID')); return Promise.resolve(new Response(served.shift())) })
})
afterEach(() => vi.unstubAllGlobals())

test('many events come in few calls, each once and in order, and none is left behind at the end', async () => {
  served.push(stream([...Array.from({ length: 999 }, (_, i) => text(i + 1)), text(1000, 'run.completed')], 'ends'))
  const calls: RunEvent[][] = []
  await follow('r', 0, (e) => calls.push(e), new AbortController().signal)
  expect(calls.flat().map((e) => e.sequence)).toEqual(Array.from({ length: 1000 }, (_, i) => i + 1))
  expect(calls[0]!.length).toBe(1)
  expect(calls.length).toBeLessThan(200)
})

test('events that waited when a connection broke are told before it is taken up again after them', async () => {
  served.push(stream([text(1), text(2), text(3)], 'breaks'), stream([text(4, 'run.completed')], 'ends'))
  const seen: number[] = []
  await follow('r', 0, (some) => seen.push(...some.map((e) => e.sequence)), new AbortController().signal)
  expect(seen).toEqual([1, 2, 3, 4])
  expect(asked).toEqual([null, 'r:3'])
})

test('nothing is told after the page has gone elsewhere', async () => {
  served.push(stream([text(1), text(2)], 'stays'))
  const gone = new AbortController()
  const seen: number[] = []
  void follow('r', 0, (some) => { seen.push(...some.map((e) => e.sequence)); gone.abort() }, gone.signal)
  await new Promise((r) => setTimeout(r, 150))
  expect(seen).toEqual([1])
})
