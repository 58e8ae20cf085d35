import { afterEach, describe, expect, it, vi } from 'vitest'

import type { RunEvent } from '../src/api/types'
import { add, arrived, recheck, stateOf, type Live } from '../src/ask/live'

const empty: Live = { events: [], text: '', verified: false, cancelling: false, waiting: null, error: null }
let sequence = 0
const event = (type: string, data: Record<string, unknown> = {}): RunEvent => ({ v: 1, id: `r:${++sequence}`, sequence, run_id: 'r', type, time: '', attempt: 1, data })

describe('what is shown of a run that works', () => {
  it('grows with the answer, and is taken back with it', () => {
    let l = add(empty, [event('run.answer.started', { mode: 'provisional' }), event('run.answer.delta', { text: '结论' }), event('run.answer.delta', { text: '：650' })])
    expect([l.text, l.verified]).toEqual(['结论：650', false])
    l = add(l, [event('run.answer.reset')])
    expect(l.text).toBe('')
    l = add(l, [event('run.answer.started', { mode: 'verified' }), event('run.answer.delta', { text: 'x' }), event('run.answer.delta', { withheld: true })])
    expect([l.text, l.verified]).toEqual(['x', true])
  })
  it('is cancelling until the work has stopped', () => {
    let l = add(empty, [event('run.cancel_requested'), event('run.model.completed')])
    expect(l.cancelling).toBe(true)
    l = add(l, [event('run.completed', { state: 'cancelled' })])
    expect(l.cancelling).toBe(false)
  })
  it('waits for a person until somebody decided', () => {
    let l = add(empty, [event('run.waiting_for_human', { approval_id: 'p' })])
    expect(l.waiting?.data.approval_id).toBe('p')
    l = add(l, [event('run.human.decided')])
    expect(l.waiting).toBeNull()
  })
  it('keeps every event, in order, and begins its text again when it goes on', () => {
    const l = add(add(empty, [event('run.answer.delta', { text: 'half' })]), [event('run.interrupted'), event('run.resumed')])
    expect(l.events.map((e) => e.type)).toEqual(['run.answer.delta', 'run.interrupted', 'run.resumed'])
    expect(l.text).toBe('')
  })
})

describe('the state of a run', () => {
  it('is what was last heard of it, and one alone', () => {
    expect(stateOf('queued', empty)).toBe('queued')
    expect(stateOf('queued', add(empty, [event('run.created'), event('run.started')]))).toBe('running')
    expect(stateOf('queued', add(empty, [event('run.started'), event('run.waiting_for_human', { approval_id: 'p' })]))).toBe('waiting_for_human')
    expect(stateOf('running', add(empty, [event('run.started'), event('run.cancel_requested')]))).toBe('cancelling')
    expect(stateOf('completed', add(empty, [event('run.started')]))).toBe('completed')
  })
})

describe('what only somebody elsewhere can move on', () => {
  it('is asked for again while it is shown, and nothing else is', () => {
    expect(recheck([{ state: 'completed' }, { state: 'interrupted' }])).toBeGreaterThan(1_000)
    for (const state of ['running', 'queued', 'waiting_for_human', 'completed', 'failed', 'cancelled']) expect(recheck([{ state }])).toBe(false)
    expect(recheck([])).toBe(false)
  })
})

describe('a run that was just started', () => {
  afterEach(() => vi.unstubAllGlobals())
  it('is nothing, and no fault that nobody catches, where it could not be had', async () => {
    vi.stubGlobal('fetch', () => Promise.reject(new TypeError('no way')))
    expect(await arrived('r')).toBeNull()
  })
})
