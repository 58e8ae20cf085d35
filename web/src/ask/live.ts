import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'

import { at, get } from '../api/client'
import { closes, follow } from '../api/stream'
import type { Run, RunEvent } from '../api/types'

export const over = (state: string) => !['queued', 'running', 'waiting_for_human'].includes(state)

// recheck is how often runs are asked for again that only somebody elsewhere can move on, in milliseconds: the events
// of an attempt end with it, and those of the next one are followed once it is known. A page that nobody sees asks for nothing.
export const recheck = (runs: Pick<Run, 'state'>[]): number | false => runs.some((r) => r.state === 'interrupted') && 5_000

// arrived is a run that was just started, or nothing where it could not be had.
export const arrived = (run: string): Promise<Run | null> => get<Run>(at('runs', run)).catch(() => null)

// stateOf is the state of a run by what was last heard of it: the events of one that works tell more than what was once read.
export function stateOf(read: string, live: Pick<Live, 'events' | 'cancelling' | 'waiting'>): string {
  if (over(read)) return read
  if (live.cancelling) return 'cancelling'
  if (live.waiting) return 'waiting_for_human'
  return live.events.some((e) => e.type === 'run.started' || e.type === 'run.resumed') ? 'running' : read
}

export interface Live {
  events: RunEvent[]
  text: string
  verified: boolean
  cancelling: boolean
  waiting: RunEvent | null
  error: unknown
}

const nothing: Live = { events: [], text: '', verified: false, cancelling: false, waiting: null, error: null }

// add goes from what is shown to what is shown after more events.
export function add(l: Live, more: RunEvent[]): Live {
  let { text, verified, cancelling, waiting } = l
  for (const e of more) {
    switch (e.type) {
      case 'run.answer.started':
        text = ''
        verified = e.data.mode === 'verified'
        break
      case 'run.answer.delta':
        if (typeof e.data.text === 'string') text += e.data.text
        break
      case 'run.answer.reset':
        text = ''
        break
      case 'run.cancel_requested':
        cancelling = true
        break
      case 'run.waiting_for_human':
        waiting = e
        break
      case 'run.human.decided':
        waiting = null
        break
      case 'run.resumed':
        text = ''
        cancelling = false
        break
      default:
        if (closes(e)) { cancelling = false; waiting = null }
    }
  }
  return { events: l.events.concat(more), text, verified, cancelling, waiting, error: null }
}

// useLive follows a run while it works. It begins with the first event, wherever the page was
// opened, and asks for the run again when an attempt is over.
export function useLive(run: Run): Live {
  const [live, setLive] = useState<Live>(nothing)
  const last = useRef(0)
  const cache = useQueryClient()
  const working = !over(run.state)
  useEffect(() => {
    if (!working) return
    const gone = new AbortController()
    void (async () => {
      try {
        await follow(run.run_id, last.current, (more) => {
          last.current = more[more.length - 1]!.sequence
          setLive((l) => add(l, more))
        }, gone.signal)
        if (!gone.signal.aborted) {
          await Promise.all([
            cache.invalidateQueries({ queryKey: ['runs'] }),
            cache.invalidateQueries({ queryKey: ['approvals'] }),
            cache.invalidateQueries({ queryKey: ['conversations'] }),
          ])
        }
      } catch (error) {
        setLive((l) => ({ ...l, error }))
      }
    })()
    return () => gone.abort()
  }, [run.run_id, working, run.attempt, cache])
  return live
}
