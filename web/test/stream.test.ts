import { afterEach, beforeEach, expect, test, vi } from 'vitest'

import { follow } from '../src/api/stream'

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

// The clock stands still unless a test moves it, so that what waits for a moment waits for the test.
beforeEach(() => {
  vi.useFakeTimers()
  served = []; asked = []
  vi.stubGlobal('sessionStorage', { getItem: () => null })
  vi.stubGlobal('fetch', (_: string, init: RequestInit) => { asked.push((init.headers as Headers).get('Last-Event-ID')); return Promise.resolve(new Response(served.shift())) })
})
afterEach(() => { vi.unstubAllGlobals(); vi.useRealTimers() })

test('the first event comes at once, the others together a moment later, and none is left behind at the end', async () => {
  let open!: ReadableStreamDefaultController<Uint8Array>
  served.push(new ReadableStream({ start: (to) => { open = to } }))
  const send = async (from: number, to: number, last?: string) => {
    for (let n = from; n <= to; n++) open.enqueue(new TextEncoder().encode(text(n, n === to ? last : undefined)))
    await vi.advanceTimersByTimeAsync(0)
  }
  const calls: number[][] = []
  const followed = follow('r', 0, (some) => calls.push(some.map((e) => e.sequence)), new AbortController().signal)
  const numbers = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => from + i)

  await send(1, 1)
  expect(calls).toEqual([[1]])
  await send(2, 500)
  await vi.advanceTimersByTimeAsync(59)
  expect(calls).toEqual([[1]])
  await vi.advanceTimersByTimeAsync(1)
  expect(calls).toEqual([[1], numbers(2, 500)])
  await send(501, 1000, 'run.completed')
  open.close()
  await followed
  expect(calls).toEqual([[1], numbers(2, 500), numbers(501, 1000)])
})

test('events that waited when a connection broke are told before it is taken up again after them', async () => {
  served.push(stream([text(1), text(2), text(3)], 'breaks'), stream([text(4, 'run.completed')], 'ends'))
  const seen: number[] = []
  const followed = follow('r', 0, (some) => seen.push(...some.map((e) => e.sequence)), new AbortController().signal)
  await vi.advanceTimersByTimeAsync(0)
  expect(seen).toEqual([1, 2, 3])
  expect(asked).toEqual([null])
  await vi.runAllTimersAsync()
  await followed
  expect(seen).toEqual([1, 2, 3, 4])
  expect(asked).toEqual([null, 'r:3'])
})

test('nothing is told after the page has gone elsewhere', async () => {
  served.push(stream([text(1), text(2)], 'stays'))
  const gone = new AbortController()
  const seen: number[] = []
  void follow('r', 0, (some) => { seen.push(...some.map((e) => e.sequence)); gone.abort() }, gone.signal)
  // The second event waits by now: what would tell it is a timer.
  await vi.advanceTimersByTimeAsync(0)
  expect(vi.getTimerCount()).toBe(1)
  await vi.runAllTimersAsync()
  expect(seen).toEqual([1])
})
