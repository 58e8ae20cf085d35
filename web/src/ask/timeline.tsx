import { useVirtualizer } from '@tanstack/react-virtual'
import { useMemo, useRef, useState } from 'react'

import type { Run, RunEvent } from '../api/types'
import { useWords, type Words } from '../i18n'
import { Trouble, Loading } from '../ui/basic'
import { useEvents } from './events'

type Data = Record<string, unknown>
const text = (v: unknown) => (typeof v === 'string' || typeof v === 'number' ? String(v) : '')

// Timeline tells what a run did, from its stored events.
export default function Timeline({ run, live }: { run: Run; live: RunEvent[] }) {
  const stored = useEvents(run, live.length === 0)
  if (live.length === 0 && stored.isPending) return <Loading />
  if (stored.isError) return <Trouble error={stored.error} retry={() => void stored.refetch()} />
  return <Lines events={live.length ? live : (stored.data?.items ?? [])} />
}

function Lines({ events }: { events: RunEvent[] }) {
  const w = useWords()
  // What a tool was asked stands with the event that it began, what came of it with the one that it ended.
  const asked = useMemo(() => {
    const m = new Map<string, Data>()
    for (const e of events) if (e.type === 'run.tool.started') m.set(`${e.attempt}:${text(e.data.call_id)}`, e.data)
    return m
  }, [events])
  const shown = useMemo(() => events.filter((e) => !hidden.has(e.type)), [events])
  const begun = events[0] ? Date.parse(events[0].time) : 0
  const [open, setOpen] = useState<ReadonlySet<number>>(new Set())
  const toggle = (n: number, now: boolean) => setOpen((old) => { const s = new Set(old); if (now) s.add(n); else s.delete(n); return s })
  // A run has thousands of events at times: only those on the screen are in the page.
  const box = useRef<HTMLDivElement>(null)
  const virtual = useVirtualizer({ count: shown.length, getScrollElement: () => box.current, estimateSize: () => 28, overscan: 12, getItemKey: (i) => shown[i]!.sequence })
  return (
    <div ref={box} data-timeline tabIndex={0} role="region" aria-label={w.t('timeline.show')} className="mt-2 max-h-[60vh] overflow-y-auto border-l border-line pl-4 text-sm">
      <ol className="relative" style={{ height: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map((v) => {
          const e = shown[v.index]!
          return (
            <li key={v.key} ref={virtual.measureElement} data-index={v.index} aria-setsize={shown.length} aria-posinset={v.index + 1} className="absolute inset-x-0 top-0 py-1" style={{ transform: `translateY(${v.start}px)` }}>
              <div className="flex gap-3">
                <span className="num w-14 shrink-0 text-right text-xs leading-5 text-ink-3">{((Date.parse(e.time) - begun) / 1000).toFixed(2)} s</span>
                <div className="min-w-0 flex-1"><Line e={e} asked={asked} w={w} open={open.has(e.sequence)} toggle={(now) => toggle(e.sequence, now)} /></div>
              </div>
            </li>
          )
        })}
      </ol>
    </div>
  )
}

const hidden = new Set(['run.step.started', 'run.step.completed', 'run.model.started', 'run.tool.started', 'run.answer.delta'])

function Line({ e, asked, w, open, toggle }: { e: RunEvent; asked: Map<string, Data>; w: Words; open: boolean; toggle: (now: boolean) => void }) {
  const d = e.data
  const label = w.word('event', e.type)
  if (e.type === 'run.tool.completed' || e.type === 'run.tool.failed') {
    const start = asked.get(`${e.attempt}:${text(d.call_id)}`)
    return (
      <details open={open} onToggle={(x) => toggle(x.currentTarget.open)}>
        <summary className="leading-5">
          <span className="font-medium">{w.word('tool', text(d.tool) || text(start?.tool))}</span>{' '}
          <span className="text-ink-2">{e.type === 'run.tool.failed' ? `${label}: ${w.word('toolcode', text(d.code))}` : outcome(d, w)}</span>{' '}
          {text(d.latency_ms) && <span className="num text-xs text-ink-3">{text(d.latency_ms)} ms</span>}
        </summary>
        <dl className="mt-1 mb-2 grid grid-cols-[auto_1fr] gap-x-3 gap-y-1 rounded-md bg-sunken p-2 text-xs">
          <dt className="text-ink-3">{w.t('event.args')}</dt><dd><pre className="font-mono break-all whitespace-pre-wrap">{JSON.stringify(start?.args ?? null, null, 1)}</pre></dd>
          <dt className="text-ink-3">{w.t('event.result')}</dt><dd><pre className="font-mono break-all whitespace-pre-wrap">{JSON.stringify(d.result ?? d.code ?? null, null, 1)}</pre></dd>
        </dl>
      </details>
    )
  }
  return <p className="leading-5"><span>{label}</span> <span className="text-ink-2">{detail(e, w)}</span></p>
}

function outcome(d: Data, w: Words): string {
  const r = (d.result ?? {}) as Data
  if (typeof r.hits === 'number') return w.t('event.hits', { n: r.hits, p: text(r.page) || 1 })
  if (typeof r.units === 'number') return w.t('event.read', { n: w.number(r.units) })
  return ''
}

function detail(e: RunEvent, w: Words): string {
  const d = e.data
  switch (e.type) {
    case 'run.started': return text((d.model as Data | undefined)?.name)
    case 'run.route.selected': return `${w.word('route', text(d.route))}`
    case 'run.model.completed': return `${text(d.latency_ms)} ms`
    case 'run.model.failed': return text(d.code)
    case 'run.source.added': return d.withheld ? text(d.ref) : `${text(d.ref)} ${text(d.title)}${d.version ? ` v${text(d.version)}` : ''}`
    case 'run.source.withheld': return text(d.ref)
    case 'run.limit.reached': return w.word('limit', text(d.limit))
    case 'run.warning': return w.word('notice', text(d.code))
    case 'run.human.decided': return w.word('status', text(d.decision))
    case 'run.resumed': return w.t('event.attempt', { n: e.attempt })
    case 'run.completed': case 'run.failed': return w.word('finish', text(d.finish_reason))
    default: return ''
  }
}
