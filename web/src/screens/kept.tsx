import { useQuery } from '@tanstack/react-query'
import { ChartNoAxesColumn, CircleCheck, CircleX, X } from 'lucide-react'
import { Link, useSearchParams } from 'react-router'

import { at, get } from '../api/client'
import { usePages } from '../api/pages'
import type { Evaluation, EvaluationCase, EvaluationGroup, EvaluationResult } from '../api/types'
import { useWords } from '../i18n'
import { Badge, Button, Empty, Loading, More, Trouble, cx } from '../ui/basic'
import { comparable } from './comparable'
import { findings } from './findings'

const groups = ['retrieval', 'citation', 'tools', 'traceability'] as const
// Each line has a colour and a form of its own, so that it is known without colours too.
const lines: Record<string, { stroke: string; dash?: string }> = {
  retrieval: { stroke: 'var(--accent)' }, citation: { stroke: 'var(--good)', dash: '7 3' }, tools: { stroke: 'var(--warn)', dash: '2 3' }, traceability: { stroke: 'var(--bad)', dash: '9 3 2 3' },
}

const of = (e: Evaluation, g: string) => e.groups.find((x) => x.group === g)
const percent = (share: number) => `${Math.round(share * 100)} %`

// Kept are the results of question files that the command line kept: their groups over time, and the
// cases of the one that is looked at.
export function Kept() {
  const { t } = useWords()
  const [query, setQuery] = useSearchParams()
  const chosen = query.get('result') ?? ''
  const { list, items } = usePages<Evaluation>(['evaluations'], at('evaluations'), { limit: 50 })
  return (
    <section className="mb-8" aria-label={t('kept.title')}>
      <h2 className="font-semibold">{t('kept.title')}</h2>
      <p className="mt-0.5 mb-3 max-w-[70ch] text-sm text-ink-2">{t('kept.lead')}</p>
      {list.isPending && <Loading />}
      {list.isError && <Trouble error={list.error} retry={() => void list.refetch()} />}
      {list.isSuccess && items.length === 0 && <><Empty icon={ChartNoAxesColumn} title={t('kept.none')}>{t('kept.nonetext')}</Empty><div className="mt-4"><Measures /></div></>}
      {items.length > 0 && (
        <div className="grid gap-5 lg:grid-cols-[1fr_1.2fr]">
          <div className="card p-4"><h3 className="text-sm font-semibold">{t('kept.trend')}</h3><Trend results={comparable(items, chosen).reverse()} /></div>
          <div><Results items={items} chosen={chosen} choose={(id) => setQuery(id ? { result: id } : {})} /><More list={list} /></div>
        </div>
      )}
      {chosen && <One key={chosen} id={chosen} close={() => setQuery({})} />}
    </section>
  )
}

// Measures says what the four groups are, and how they are measured.
export function Measures() {
  const { t } = useWords()
  return (
    <section className="card p-4 text-sm" aria-label={t('kept.four')} data-measures>
      <h3 className="font-semibold">{t('kept.four')}</h3>
      <dl className="mt-2 grid gap-x-6 gap-y-3 sm:grid-cols-2">
        {groups.map((g) => (
          <div key={g}>
            <dt className="flex items-center gap-2 font-medium"><Stroke of={g} />{t(`kept.${g}`)}</dt>
            <dd className="mt-0.5 text-ink-2">{t(`kept.what.${g}`)}</dd>
          </div>
        ))}
      </dl>
      <p className="mt-4 text-ink-2">{t('eval.cli')}</p>
      <pre className="mt-1 overflow-x-auto rounded-md bg-sunken px-3 py-2 font-mono text-xs leading-5 whitespace-pre-wrap">{'kaoju eval examples/eval/acme.yaml --demo\nkaoju eval questions.yaml --data kaoju-data'}</pre>
      <p className="mt-1 text-xs text-ink-3">{t('kept.write')}</p>
    </section>
  )
}

function Stroke({ of: group }: { of: string }) {
  return <svg width="22" height="6" aria-hidden className="shrink-0"><line x1="0" x2="22" y1="3" y2="3" stroke={lines[group]!.stroke} strokeWidth="2" strokeDasharray={lines[group]!.dash} /></svg>
}

// Trend draws the share of passed cases of each group over results of one kind, the oldest on the left.
function Trend({ results }: { results: Evaluation[] }) {
  const { t, day } = useWords()
  const width = 440, height = 170, left = 34, top = 8, floor = height - 22
  const x = (i: number) => (results.length === 1 ? (left + width) / 2 : left + 8 + (i * (width - left - 18)) / (results.length - 1))
  const y = (share: number) => floor - share * (floor - top)
  const { name, file, engine, model } = results[0]!
  return (
    <>
      <p className="num mb-2 text-xs text-ink-3">{name || file} · {engine === 'model' ? model : t('kept.rules')}</p>
      <svg data-trend viewBox={`0 0 ${width} ${height}`} className="w-full" role="img" aria-label={t('kept.trendlabel', { n: results.length })}>
        {[0, 0.5, 1].map((s) => <g key={s}><line x1={left} x2={width} y1={y(s)} y2={y(s)} stroke="var(--line)" /><text x={left - 6} y={y(s) + 3} textAnchor="end" fontSize="10" fill="var(--ink-3)">{percent(s)}</text></g>)}
        {groups.map((g) => {
          const points = results.flatMap((r, i) => { const s = of(r, g); return s ? [{ x: x(i), y: y(s.share), s, r }] : [] })
          const look = lines[g]!
          return (
            <g key={g} data-line={g}>
              {points.length > 1 && <polyline points={points.map((p) => `${p.x},${p.y}`).join(' ')} fill="none" stroke={look.stroke} strokeWidth="2" strokeDasharray={look.dash} />}
              {points.map((p) => <circle key={p.r.id} cx={p.x} cy={p.y} r="3" fill={look.stroke}><title>{`${day(p.r.started_at)} · ${t(`kept.${g}`)}: ${p.s.passed}/${p.s.cases}`}</title></circle>)}
            </g>
          )
        })}
        <text x={x(0)} y={height - 6} textAnchor={results.length === 1 ? 'middle' : 'start'} fontSize="10" fill="var(--ink-3)">{day(results[0]!.started_at)}</text>
        {results.length > 1 && <text x={width - 4} y={height - 6} textAnchor="end" fontSize="10" fill="var(--ink-3)">{day(results[results.length - 1]!.started_at)}</text>}
      </svg>
      <ul className="mt-1 flex flex-wrap gap-x-4 gap-y-1 text-xs text-ink-2">{groups.map((g) => <li key={g} className="flex items-center gap-1.5"><Stroke of={g} />{t(`kept.${g}`)}</li>)}</ul>
    </>
  )
}

function Results({ items, chosen, choose }: { items: Evaluation[]; chosen: string; choose: (id: string) => void }) {
  const { t, date } = useWords()
  return (
    <div className="card overflow-hidden sm:overflow-x-auto" tabIndex={0} role="region" aria-label={t('kept.table')}>
      <table className="stack w-full text-left text-sm">
        <thead className="text-xs text-ink-3"><tr><th className="px-3 py-2 font-medium" scope="col">{t('kept.when')}</th>{groups.map((g) => <th key={g} className="px-2 py-2 font-medium" scope="col">{t(`kept.${g}`)}</th>)}</tr></thead>
        <tbody className="divide-y divide-line">{items.map((e) => (
          <tr key={e.id} data-result={e.id} className={cx(chosen === e.id && 'bg-accent-soft')}>
            <th scope="row" className="px-3 py-1.5 font-normal">
              <button type="button" aria-pressed={chosen === e.id} className="num text-left hover:text-accent" onClick={() => choose(chosen === e.id ? '' : e.id)}><span className="block font-medium underline underline-offset-2">{date(e.started_at)}</span><span className="block text-xs text-ink-3">{e.name || e.file} · {e.engine === 'model' ? e.model : t('kept.rules')}</span></button>
            </th>
            {groups.map((g) => <td key={g} className="num px-2 py-1.5" data-label={t(`kept.${g}`)}><Share group={of(e, g)} /></td>)}
          </tr>
        ))}</tbody>
      </table>
    </div>
  )
}

function Share({ group: g }: { group: EvaluationGroup | undefined }) {
  const { t } = useWords()
  if (!g) return <span className="text-ink-3">–</span>
  return <span title={t('kept.interval', { a: percent(g.low), b: percent(g.high) })} className={g.passed === g.cases ? 'text-good' : 'text-bad'}>{g.passed}/{g.cases}</span>
}

// One is a result with the cases that fell short, each with what was found and its runs.
function One({ id, close }: { id: string; close: () => void }) {
  const { t, date, number } = useWords()
  const result = useQuery({ queryKey: ['evaluations', id], queryFn: ({ signal }) => get<EvaluationResult>(at('evaluations', id), undefined, signal) })
  const r = result.data
  const short = r?.cases.filter((c) => !c.passed) ?? []
  const passed = r?.cases.filter((c) => c.passed) ?? []
  return (
    <section data-evaluation={id} aria-label={t('kept.one')} className="card mt-5 p-4">
      <div className="flex items-start gap-2"><h3 className="flex-1 font-semibold">{r ? `${r.name || r.file} · ${date(r.started_at)}` : t('kept.one')}</h3><Button small look="ghost" icon={X} aria-label={t('close')} onClick={close} /></div>
      {result.isPending && <Loading />}
      {result.isError && <Trouble error={result.error} retry={() => void result.refetch()} />}
      {r && (
        <>
          <p className="num mt-1 text-xs text-ink-2">{t('kept.facts', { n: number(r.cases.length), r: r.repeat, k: r.k })} · {r.engine === 'model' ? r.model : t('kept.rules')} · {r.file} <span className="font-mono text-ink-3">{r.file_hash.slice(0, 12)}</span></p>
          {r.unfinished > 0 && <p className="mt-2 rounded-md bg-warn-soft px-3 py-2 text-sm text-warn">{t('kept.unfinished', { n: r.unfinished })}</p>}
          {r.retrieval && <p className="num mt-2 text-sm">{t('kept.ranking', { h: percent(r.retrieval.hit), r: percent(r.retrieval.recall), n: r.retrieval.ndcg_10.toFixed(3), m: r.retrieval.mrr.toFixed(3), v: percent(r.retrieval.right_version) })}</p>}
          {r.citation && <p className="num mt-1 text-sm">{t('kept.sentences', { n: r.citation.conclusions, c: percent(r.citation.conclusions_cited), s: percent(r.citation.supported), p: percent(r.citation.partly), x: percent(r.citation.contradicted) })}</p>}
          <h4 className="mt-4 mb-1 text-sm font-semibold">{short.length ? t('kept.short', { n: short.length }) : t('kept.allgood')}</h4>
          {short.length > 0 && <ul className="divide-y divide-line">{short.map((c) => <Case key={c.id} c={c} />)}</ul>}
          {passed.length > 0 && <details className="mt-3"><summary className="text-sm text-ink-2">{t('kept.passed', { n: passed.length })}</summary><ul className="mt-1 divide-y divide-line">{passed.map((c) => <Case key={c.id} c={c} />)}</ul></details>}
        </>
      )}
    </section>
  )
}

function Case({ c }: { c: EvaluationCase }) {
  const { t, lang } = useWords()
  const told = new Set(c.findings.map((f) => f.run_id))
  const runs = c.runs.map((id, i) => ({ id, n: i + 1 })).filter((r) => !told.has(r.id))
  return (
    <li data-case={c.id} className="py-2 text-sm">
      <p className="flex flex-wrap items-baseline gap-x-2">
        {c.passed ? <CircleCheck size={14} className="self-center text-good" aria-hidden /> : <CircleX size={14} className="self-center text-bad" aria-hidden />}
        <span className="font-mono text-xs font-semibold">{c.id}</span><span className="text-xs text-ink-3">{t('kept.as', { who: c.as })}</span>
        {c.tries > 1 && <span className="num text-xs text-ink-3">{t('kept.tries', { p: c.passes, n: c.tries })}</span>}
        {c.question && <span className="min-w-0 flex-1">{c.question}</span>}
      </p>
      {c.findings.length > 0 && <ul className="mt-1 space-y-0.5 pl-5">{c.findings.map((f, i) => <li key={i} className="flex flex-wrap items-baseline gap-x-2"><Badge tone="bad">{t(`kept.${f.group as (typeof groups)[number]}`)}</Badge><span>{findings[lang][f.code] ?? f.code}</span>{f.detail && <span className="text-ink-2">{f.detail}</span>}{f.run_id && <Link className="text-xs text-accent underline underline-offset-2" to={`/runs/${encodeURIComponent(f.run_id)}`}>{t('kept.run')}</Link>}</li>)}</ul>}
      {c.withheld ? !c.passed && <p className="mt-1 pl-5 text-xs text-ink-3">{t('kept.withheld')}</p>
        : runs.length > 0 && <p className="mt-1 flex flex-wrap gap-x-3 pl-5 text-xs">{runs.map((r) => <Link key={r.id} className="text-accent underline underline-offset-2" to={`/runs/${encodeURIComponent(r.id)}`}>{c.runs.length > 1 ? t('kept.runn', { n: r.n }) : t('kept.run')}</Link>)}</p>}
    </li>
  )
}
