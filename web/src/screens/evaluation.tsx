import { ChartNoAxesColumn, Download } from 'lucide-react'
import { useMemo } from 'react'
import { Link } from 'react-router'

import { at, handOver } from '../api/client'
import { usePages } from '../api/pages'
import type { Feedback, Run, Verdict } from '../api/types'
import { useWords } from '../i18n'
import { useSession } from '../session'
import { cases } from '../lib/cases'
import { Badge, Button, Empty, Loading, More, Page, Trouble, type Tone } from '../ui/basic'
import { Kept, Measures } from './kept'

const verdicts: Verdict[] = ['supported', 'partly', 'not_found', 'contradicted']
const fills: Record<string, string> = { supported: 'var(--good)', partly: 'var(--warn)', not_found: 'var(--ink-3)', contradicted: 'var(--bad)' }
const tones: Record<string, Tone> = { correct: 'good', wrong: 'bad', unclear: 'warn' }

// Evaluation shows how the person's own answers fared: the checks of their sentences by day, and what
// was marked. Administrators see what came of question files, which the command line runs.
export default function Evaluation() {
  const { t, date, number, lang } = useWords()
  const { may, me } = useSession()
  const administers = may('tenant_admin')
  const { list: runs, items } = usePages<Run>(['runs', 'recent'], at('runs'), { limit: 200 })
  const { list: marks, items: marked } = usePages<Feedback>(['feedback', 'all'], at('feedback'), { limit: 200 })
  const answers = items.filter((r) => r.kind === 'answer' || r.kind === 'draft')
  // The file names what the marked answers cited, so it is made when they are there.
  const file = useMemo(() => (runs.isSuccess ? cases(marked, items, me?.user_id ?? '', lang === 'zh') : ''), [runs.isSuccess, marked, items, me, lang])
  const doubtful = answers.filter((r) => r.checks.some((c) => c.verdict === 'contradicted' || c.verdict === 'not_found') || r.state === 'failed')
  return (
    <Page wide title={t('nav.evaluation')} lead={t('eval.lead')}>
      {administers && <Kept />}
      {administers && <h2 className="mb-3 font-semibold">{t('eval.own')}</h2>}
      {(runs.isPending || marks.isPending) && <Loading />}
      {runs.isError && <Trouble error={runs.error} retry={() => void runs.refetch()} />}
      {marks.isError && <Trouble error={marks.error} retry={() => void marks.refetch()} />}
      {runs.isSuccess && answers.length === 0 && !runs.hasNextPage && <Empty icon={ChartNoAxesColumn} title={t('eval.none')} actions={<Link to="/" className="text-sm text-accent underline underline-offset-2">{t('nav.ask')}</Link>}>{t('eval.nonetext')}</Empty>}
      {answers.length > 0 && (
        <div className="grid gap-5 lg:grid-cols-2">
          <section className="card p-4"><h2 className="mb-3 font-semibold">{t('eval.bychecks')}</h2><Chart runs={answers} /></section>
          <section className="card p-4"><h2 className="mb-3 font-semibold">{t('eval.outcomes')}</h2><Outcomes runs={answers} /></section>
        </div>
      )}
      {runs.hasNextPage && <p className="num mt-3 text-xs text-ink-3">{t('eval.latest', { n: number(answers.length) })}</p>}
      <More list={runs} />
      {doubtful.length > 0 && (
        <section className="mt-6"><h2 className="mb-2 font-semibold">{t('eval.doubtful')}</h2>
          <ul className="card divide-y divide-line text-sm">{doubtful.map((r) => <li key={r.run_id}><Link className="flex gap-3 px-4 py-2 hover:bg-sunken" to={`/runs/${r.run_id}`}><span className="min-w-0 flex-1 truncate">{r.goal}</span><span className="num text-xs text-ink-3">{date(r.created_at)}</span></Link></li>)}</ul>
        </section>
      )}
      {marked.length > 0 && (
        <section className="mt-6"><div className="mb-2 flex flex-wrap items-center gap-x-3 gap-y-1"><h2 className="font-semibold">{t('eval.marks')}</h2>{file && <><Button small icon={Download} data-export="cases" onClick={() => handOver(new Blob([file], { type: 'application/yaml' }), 'questions.yaml')}>{t('eval.cases')}</Button><span className="text-xs text-ink-3">{t('eval.casestext')}</span></>}</div>
          <ul className="card divide-y divide-line text-sm">{marked.map((m) => (
            <li key={m.run_id + m.sentence} className="flex items-baseline gap-3 px-4 py-2">
              <Badge tone={tones[m.verdict]}>{t(`feedback.${m.verdict}`)}</Badge>
              <Link to={`/runs/${m.run_id}`} className="min-w-0 flex-1 hover:text-accent"><span className="block truncate">{m.withheld ? t('eval.withheld') : m.sentence || m.question}</span>{m.note && <span className="block text-xs text-ink-3">“{m.note}”</span>}</Link>
              <span className="num text-xs text-ink-3">{date(m.updated_at)}</span>
            </li>
          ))}</ul>
          <More list={marks} />
        </section>
      )}
      {!administers && <div className="mt-6"><Measures /></div>}
    </Page>
  )
}

function Chart({ runs }: { runs: Run[] }) {
  const { t, word } = useWords()
  const days = new Map<string, Record<string, number>>()
  for (const r of [...runs].reverse()) {
    const d = days.get(r.created_at.slice(0, 10)) ?? {}
    for (const c of r.checks) d[c.verdict] = (d[c.verdict] ?? 0) + 1
    days.set(r.created_at.slice(0, 10), d)
  }
  const list = [...days].slice(-21)
  const most = Math.max(1, ...list.map(([, d]) => verdicts.reduce((n, v) => n + (d[v] ?? 0), 0)))
  const width = Math.min(36, 420 / list.length)
  return (
    <>
      <svg viewBox="0 0 440 150" className="w-full" role="img" aria-label={t('eval.bychecks')}>
        <line x1="0" x2="440" y1="126" y2="126" stroke="var(--line-strong)" />
        {list.map(([day, d], i) => {
          let y = 126
          return (
            <g key={day} transform={`translate(${i * (440 / list.length) + (440 / list.length - width) / 2} 0)`}>
              <title>{`${day}: ${verdicts.map((v) => `${word('verdict', v)} ${d[v] ?? 0}`).join(', ')}`}</title>
              {verdicts.map((v) => { const h = ((d[v] ?? 0) / most) * 112; y -= h; return <rect key={v} y={y} width={width} height={h} fill={fills[v]} /> })}
              {(list.length < 9 || i % 4 === 0) && <text x={width / 2} y="142" textAnchor="middle" fontSize="10" fill="var(--ink-3)">{day.slice(5)}</text>}
            </g>
          )
        })}
      </svg>
      <ul className="mt-2 flex flex-wrap gap-x-4 gap-y-1 text-xs text-ink-2">{verdicts.map((v) => <li key={v} className="num flex items-center gap-1.5"><svg width="9" height="9" aria-hidden><rect width="9" height="9" rx="2" fill={fills[v]} /></svg>{word('verdict', v)} {runs.reduce((n, r) => n + r.checks.filter((c) => c.verdict === v).length, 0)}</li>)}</ul>
    </>
  )
}

function Outcomes({ runs }: { runs: Run[] }) {
  const { word } = useWords()
  const counts = new Map<string, number>()
  for (const r of runs) counts.set(r.state, (counts.get(r.state) ?? 0) + 1)
  return (
    <ul className="space-y-2 text-sm">{[...counts].sort((a, b) => b[1] - a[1]).map(([s, n]) => (
      <li key={s} className="grid grid-cols-[9rem_1fr_2.5rem] items-center gap-3"><span className="truncate">{word('status', s)}</span>
        <svg viewBox="0 0 100 6" preserveAspectRatio="none" className="h-2 w-full" aria-hidden><rect width="100" height="6" rx="1" fill="var(--line)" /><rect width={(100 * n) / runs.length} height="6" rx="1" fill="var(--accent)" /></svg>
        <span className="num text-right text-ink-2">{n}</span></li>
    ))}</ul>
  )
}
