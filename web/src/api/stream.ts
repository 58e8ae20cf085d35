import { createParser } from 'eventsource-parser'

import { at, headers, place, problem, Problem } from './client'
import type { RunEvent } from './types'

// moment is how long events wait for others, in milliseconds.
const moment = 60

export const closes = (e: RunEvent) => e.type === 'run.completed' || e.type === 'run.failed' || e.type === 'run.interrupted'

// follow calls onEvents with the events of a run as the server has them, each once and in order,
// until an attempt of the run is over. A connection that breaks is taken up again after the last
// event that arrived; what the server refuses is thrown. Of many that arrive at once few calls are made, so
// that a page has time for its person: the first comes at once, the others together a moment later.
export async function follow(run: string, after: number, onEvents: (events: RunEvent[]) => void, signal: AbortSignal): Promise<void> {
  let last = after ? `${run}:${after}` : ''
  let at0 = after
  for (let wait = 0.5; !signal.aborted; wait = Math.min(wait * 2, 15)) {
    try {
      const res = await fetch(place(at('runs', run, 'events')), {
        headers: headers({ headers: { Accept: 'text/event-stream', ...(last ? { 'Last-Event-ID': last } : {}) } }),
        signal, cache: 'no-store', credentials: 'same-origin',
      })
      if (res.status === 204) return
      if (!res.ok) throw await problem(res)
      let over = false
      let batch: RunEvent[] = []
      let told = -Infinity
      let timer: ReturnType<typeof setTimeout> | undefined
      const tell = () => {
        clearTimeout(timer)
        timer = undefined
        if (batch.length === 0 || signal.aborted) return
        const some = batch
        batch = []
        told = performance.now()
        onEvents(some)
      }
      const parser = createParser({
        onEvent(m) {
          const e = JSON.parse(m.data) as RunEvent
          if (e.sequence <= at0) return
          at0 = e.sequence
          last = e.id
          over = closes(e)
          batch.push(e)
        },
      })
      const reader = res.body!.pipeThrough(new TextDecoderStream()).getReader()
      try {
        for (;;) {
          const { value, done } = await reader.read()
          if (done) break
          parser.feed(value)
          if (batch.length === 0) continue
          wait = 0.5
          const left = told + moment - performance.now()
          if (left <= 0) tell()
          else timer ??= setTimeout(tell, left)
        }
      } finally {
        tell()
      }
      if (over) return
    } catch (e) {
      if (signal.aborted) return
      if (e instanceof Problem && e.status > 0 && e.status < 500 && e.status !== 429) throw e
    }
    await pause(wait * 1000, signal)
  }
}

function pause(ms: number, signal: AbortSignal) {
  return new Promise<void>((done) => {
    const timer = setTimeout(done, ms)
    signal.addEventListener('abort', () => { clearTimeout(timer); done() }, { once: true })
  })
}
