import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { ChevronRight, CircleStop, Copy, FilePen, Link2, RotateCcw, ShieldCheck, Zap } from 'lucide-react'
import { lazy, useState } from 'react'
import { Link, useNavigate } from 'react-router'

import { at, download, get, place, post } from '../api/client'
import { useErrand } from '../api/errand'
import type { List, Run, RunEvent, Tool } from '../api/types'
import { useWords, type Words } from '../i18n'
import { copy as copyText } from '../lib/copy'
import { where } from '../lib/text'
import { Button, Status, Trouble, cx } from '../ui/basic'
import { Formats } from '../ui/formats'
import { Part } from '../ui/part'
import { Proven } from '../ui/proven'
import { WaitingCard } from '../screens/card'
import { Answer, Plain } from './answer'
import { Opinion } from './check'
import { Conflicts, Sources } from './found'
import { useEvents } from './events'
import { over, stateOf, useLive, type Live } from './live'
import { ScopeLine, useBaseName } from './scope'

const CallDialog = lazy(() => import('./call'))
const Timeline = lazy(() => import('./timeline'))

// Turn is one question with everything that came of it.
export function Turn({ run, alone }: { run: Run; alone?: boolean }) {
  const w = useWords()
  const live = useLive(run)
  const [timeline, setTimeline] = useState(false)
  const working = !over(run.state)
  const state = stateOf(run.state, live)
  return (
    <article data-run-id={run.run_id} data-state={state} aria-label={run.goal} className={cx('border-line px-4 py-6 sm:px-8', !alone && 'border-b last:border-b-0')}>
      <div className="mx-auto max-w-[720px]">
        <h2 className="text-lg font-semibold text-balance whitespace-pre-line">{run.goal}</h2>
        <div className="mt-1"><ScopeLine run={run} /></div>
        <div className="mt-4">
          {working ? <Working run={run} live={live} /> : <Outcome run={run} />}
        </div>
        <Notices run={run} />
        <Conflicts run={run} />
        {!working && <Sources run={run} />}
        <div className="mt-4 flex flex-wrap items-center gap-1.5">
          {/* While it works, the line above says what it is at. */}
          {!working && <Status value={state} />}
          <Button small look="ghost" icon={ChevronRight} aria-expanded={timeline} onClick={() => setTimeline(!timeline)}>{w.t('timeline.show')}</Button>
          {!working && <Actions run={run} />}
        </div>
        {timeline && <Part><Timeline run={run} live={working ? live.events : []} /></Part>}
        {!working && run.answer && <Opinion run={run} sentence="" />}
      </div>
    </article>
  )
}

// doing names what the run is at, by its last event.
function doing(events: RunEvent[], w: Words): string {
  for (let i = events.length - 1; i >= 0; i--) {
    const e = events[i]!
    const tool = String(e.data.tool ?? '')
    switch (e.type) {
      case 'run.tool.started': case 'run.tool.completed': return w.word('doing', tool)
      case 'run.model.started': return w.t('doing.model')
      case 'run.answer.started': case 'run.answer.delta': return w.t('doing.writing')
      case 'run.started': case 'run.resumed': return w.t('doing.begun')
      case 'run.waiting_for_human': return w.t('doing.waiting')
    }
  }
  return w.t('doing.queued')
}

function Working({ run, live }: { run: Run; live: Live }) {
  const w = useWords()
  const cancel = useMutation({ mutationFn: () => post(at('runs', run.run_id, 'cancel'), undefined) })
  const ending = live.cancelling || cancel.isPending || cancel.isSuccess
  return (
    <div aria-busy="true">
      {live.text && (
        <div className="mb-3 text-base">
          <p className="caret whitespace-pre-line"><Plain text={live.text} /></p>
          {!live.verified && <p className="mt-1 text-xs text-ink-3">{w.t('answer.provisional')}</p>}
        </div>
      )}
      {live.waiting && <div className="mb-3"><WaitingCard id={String(live.waiting.data.approval_id ?? '')} /></div>}
      <div className="flex items-center gap-3">
        <p role="status" className="flex items-center gap-2 text-sm text-ink-2">
          <span className="pulse size-2 rounded-full bg-accent" aria-hidden />
          {ending ? w.t('cancel.ending') : doing(live.events, w)}
        </p>
        <Button small icon={CircleStop} disabled={ending} onClick={() => cancel.mutate()} data-cancel>{w.t('cancel')}</Button>
      </div>
      {cancel.isError && <div className="mt-2"><Trouble error={cancel.error} /></div>}
      {live.error !== null && <div className="mt-2"><Trouble error={live.error} kept={w.t('error.kept.run')} /></div>}
    </div>
  )
}

function Outcome({ run }: { run: Run }) {
  const w = useWords()
  const cache = useQueryClient()
  const resume = useMutation({
    mutationFn: () => post(at('runs', run.run_id, 'resume'), undefined),
    meta: { tells: 'runs' },
    onSettled: () => cache.invalidateQueries({ queryKey: ['runs'] }),
  })
  const note = run.state === 'completed' || run.state === 'awaiting_review' ? null : w.word('finish.long', run.finish_reason || run.state)
  return (
    <>
      {run.state === 'insufficient_evidence' && (
        <div className="mb-4 rounded-lg border border-line bg-warn-soft p-3 text-sm">
          <p className="font-medium text-warn">{w.t('insufficient.title')}</p>
          <Searched run={run} />
          <Missing run={run} />
          <p className="mt-1 text-ink-2">{w.t('insufficient.next')} <Link to="/documents" className="text-accent underline underline-offset-2">{w.t('insufficient.add')}</Link></p>
        </div>
      )}
      {/* What the rules say of what they lack is in the box above, in the language of the page. */}
      {run.answer && !(run.engine === 'rules' && run.lacking.length > 0) && <Answer run={run} />}
      {note && run.state !== 'insufficient_evidence' && (
        <div className="rounded-lg border border-line bg-sunken p-3 text-sm">
          <p>{note}</p>
          {run.state === 'interrupted' && <Button small className="mt-2" icon={RotateCcw} busy={resume.isPending} onClick={() => resume.mutate()} data-resume>{w.t('resume')}</Button>}
          {resume.isError && <div className="mt-2"><Trouble error={resume.error} /></div>}
        </div>
      )}
      {!!run.integrity?.problems.length && <Proven integrity={run.integrity} broken="integrity.broken" />}
      {run.reduced && <p className="mt-2 text-sm text-ink-2">{w.t('answer.reduced')}</p>}
    </>
  )
}

const kinds = ['absent', 'unmet', 'unanswered', 'statement', 'other'] as const

// Missing lists what an answer lacks, by kinds: their words are those of the page, what they are about is in those of the question.
function Missing({ run }: { run: Run }) {
  const { t } = useWords()
  return (
    <>
      {kinds.map((k) => {
        const list = run.lacking.filter((l) => l.code === k)
        return list.length > 0 && <p key={k} className="mt-1" data-missing={k}>{t(`lack.${k}`)} {list.map((l, i) => l.about && <Chip key={i}>{l.about}</Chip>)}</p>
      })}
    </>
  )
}

function Chip({ children }: { children: string }) {
  return <span className="mt-0.5 mr-1.5 inline-block max-w-full rounded-sm border border-line-strong bg-surface px-1.5 text-sm break-words">{children}</span>
}

// Searched are the words that a run searched for, from its events.
function Searched({ run }: { run: Run }) {
  const { t } = useWords()
  const events = useEvents(run)
  const queries = new Set(events.data?.items.flatMap((e) => {
    const args = e.type === 'run.tool.started' ? e.data.args as { query?: unknown } | null : null
    return typeof args?.query === 'string' && args.query ? [args.query] : []
  }))
  if (queries.size === 0) return null
  return <p className="mt-1" data-searched>{t('insufficient.searched')} {[...queries].map((q) => <Chip key={q}>{q}</Chip>)}</p>
}

function Notices({ run }: { run: Run }) {
  const { t, word } = useWords()
  const list = run.notices.filter((n) => n !== 'extracted_by_rules')
  if (!run.needs_confirmation && list.length === 0 && run.engine !== 'rules') return null
  return (
    <ul className="mt-3 space-y-0.5 text-xs text-ink-3">
      {run.engine === 'rules' && run.answer && run.lacking.length === 0 && <li>{t('answer.rules')}</li>}
      {run.needs_confirmation && <li className="text-warn">{t('answer.confirm')}</li>}
      {list.map((n) => <li key={n}>{word('notice', n)}</li>)}
    </ul>
  )
}

// cited writes an answer as text with its sources below.
export function cited(run: Run, t: Words['t'], base: ReturnType<typeof useBaseName>): string {
  const notes = run.citations.map((c) => c.withheld ? `[${c.label}] ${t('cite.gone', { l: c.label })}`
    : `[${c.label}] ${c.title} (${c.doc_key}) v${c.version}${base(c) && ` · ${base(c)}`}${where(c.quotes[0]?.locator ?? c.locator, t) && ` · ${where(c.quotes[0]?.locator ?? c.locator, t)}`}${c.quotes.map((q) => `\n     “${q.text}”`).join('')}`)
  return [run.answer, '', ...notes, '', new URL(place(`/runs/${run.run_id}`), location.href).href].join('\n')
}

function Actions({ run }: { run: Run }) {
  const { t } = useWords()
  const navigate = useNavigate()
  const [said, setSaid] = useState('')
  const [error, setError] = useState<unknown>(null)
  const keep = useErrand()
  const base = useBaseName()
  const save = useMutation({
    mutationFn: () => keep<{ draft_id: string }>(at('runs', run.run_id, 'draft'), { base_version: 0 }),
    onSuccess: (d) => navigate(`/drafts/${d.draft_id}`),
    onError: setError,
  })
  const copy = async () => {
    await copyText(cited(run, t, base))
    setSaid(t('copied'))
  }
  const take = (path: string, name: string, query?: Record<string, string>) => download(path, name, query).catch(setError)
  return (
    <>
      {run.answer && <Button small look="ghost" icon={Copy} onClick={() => void copy().catch(setError)}>{t('copy')}</Button>}
      {run.answer && <Formats small take={(format, ending) => void take(at('runs', run.run_id, 'export'), `answer${ending}`, { format })} />}
      <Button small look="ghost" icon={ShieldCheck} onClick={() => void take(at('runs', run.run_id, 'bundle'), 'evidence.json')}>{t('bundle')}</Button>
      {run.state === 'awaiting_review' && <Button small look="primary" icon={FilePen} busy={save.isPending} onClick={() => save.mutate()}>{t('draft.save')}</Button>}
      <Act run={run} />
      <Link to={`/runs/${run.run_id}`} className="inline-flex h-7 items-center gap-1.5 rounded-md px-2 text-xs font-medium text-ink-2 hover:bg-hover"><Link2 size={14} aria-hidden />{t('permalink')}</Link>
      <Link to={`/ledger?run_id=${run.run_id}`} className="inline-flex h-7 items-center rounded-md px-2 text-xs font-medium text-ink-2 hover:bg-hover">{t('why.link')}</Link>
      <span role="status" className="text-xs text-ink-3">{said}</span>
      {error !== null && <Trouble error={error} />}
    </>
  )
}

// Act offers what may be done about an answer that cites a version in force.
function Act({ run }: { run: Run }) {
  const { t } = useWords()
  const [open, setOpen] = useState(false)
  const stands = run.state === 'completed' && run.citations.some((c) => !c.withheld && c.status === 'published')
  const tools = useQuery({ queryKey: ['tools'], enabled: stands, staleTime: 60_000, queryFn: ({ signal }) => get<List<Tool>>(at('tools'), undefined, signal) })
  const list = tools.data?.items ?? []
  if (!stands || list.length === 0) return null
  return (
    <>
      <Button small look="ghost" icon={Zap} onClick={() => setOpen(true)} data-act>{t('call.open')}</Button>
      {open && <Part waiting={null}><CallDialog run={run} tools={list} onClose={() => setOpen(false)} /></Part>}
    </>
  )
}
