import { FileText } from 'lucide-react'
import { Link } from 'react-router'

import type { Citation, Run } from '../api/types'
import { useWords } from '../i18n'
import { where } from '../lib/text'
import { Status, cx } from '../ui/basic'
import { useBaseName } from './scope'
import { useSelection } from './select'
import { Passage } from './told'

// Sources lists what an answer rests on: cited first, and what was read or found beside it below.
export function Sources({ run }: { run: Run }) {
  const { t } = useWords()
  if (run.citations.length + run.read_not_cited.length + run.found_not_read.length === 0) return null
  return (
    <div className="mt-5 border-t border-line pt-3">
      {run.citations.length > 0 && (
        <>
          <h3 className="eyebrow mb-1">{t('sources.cited')}</h3>
          <ul>{run.citations.map((c) => <Row key={c.label} run={run} c={c} />)}</ul>
        </>
      )}
      {run.read_not_cited.length > 0 && (
        <details className="mt-2">
          <summary className="text-sm text-ink-2">{t('sources.read')} <span className="num text-ink-3">{run.read_not_cited.length}</span></summary>
          <ul className="mt-1">{run.read_not_cited.map((c) => <Row key={c.label} run={run} c={c} />)}</ul>
        </details>
      )}
      {run.found_not_read.length > 0 && (
        <details className="mt-2">
          <summary className="text-sm text-ink-2">{t('sources.found')} <span className="num text-ink-3">{run.found_not_read.length}</span></summary>
          <ul className="mt-1">
            {run.found_not_read.map((f) => (
              <li key={f.chunk_id}>
                <Link to={`/documents/${encodeURIComponent(f.document_id)}`} className="flex items-center gap-2 rounded-md px-2 py-1 text-sm hover:bg-hover">
                  <FileText size={14} className="text-ink-3" aria-hidden /><span className="truncate">{f.title}</span><span className="num text-xs text-ink-3">v{f.version}</span>
                </Link>
              </li>
            ))}
          </ul>
        </details>
      )}
    </div>
  )
}

function Row({ run, c }: { run: Run; c: Citation }) {
  const { t } = useWords()
  const { open, choice, lit } = useSelection()
  const name = useBaseName()
  if (c.withheld) return <li className="px-2 py-1 text-sm text-ink-3"><span className="cite" data-gone="true">{c.label}</span> {t('cite.gone', { l: c.label })}</li>
  const current = choice?.run === run.run_id && choice.label === c.label
  const shines = lit?.run === run.run_id && lit.labels.includes(c.label)
  return (
    <li>
      <button
        type="button" onClick={(e) => open(run.run_id, c.label, e.currentTarget)} aria-pressed={current}
        className={cx('flex w-full items-baseline gap-2 rounded-md px-2 py-1 text-left text-sm hover:bg-hover', (current || shines) && 'bg-accent-soft')}
      >
        <span className="num w-6 shrink-0 text-xs font-semibold text-accent">{c.label}</span>
        <span className="min-w-0 flex-1">
          <span className="font-medium">{c.title}</span> <span className="num text-xs text-ink-3">v{c.version}</span>
          <span className="block truncate text-xs text-ink-3">{name(c) && `${name(c)} · `}{where(c.quotes[0]?.locator ?? c.locator, t)}{c.truncated && ` · ${t('source.truncated')}`}</span>
        </span>
        <Status value={c.status} />
      </button>
    </li>
  )
}

// Conflicts shows sources that disagree, side by side. Which of them holds is not decided here.
export function Conflicts({ run }: { run: Run }) {
  const { t, word, day } = useWords()
  const { open } = useSelection()
  const name = useBaseName()
  if (run.conflicts.length === 0) return null
  return (
    <section aria-label={t('conflict.title')} className="mt-5 rounded-lg border border-line bg-warn-soft p-3">
      <h3 className="text-sm font-semibold text-warn">{t('conflict.title')}</h3>
      <p className="mb-2 text-xs text-ink-2">{t('conflict.lead')}</p>
      <div className="space-y-3">
        {run.conflicts.map((c, i) => (
          <div key={i}>
            <p className="mb-1 text-xs text-ink-2">{word('conflict', c.kind)}</p>
            <div className="grid gap-2 sm:grid-cols-2">
              {c.sides.map((s) => (
                <button key={s.label} type="button" onClick={(e) => open(run.run_id, s.label, e.currentTarget)} className="card p-2.5 text-left text-sm hover:border-line-strong">
                  <Passage text={s.quote.text} locator={s.quote.locator} excerpt={[...run.citations, ...run.read_not_cited].find((x) => x.label === s.label)?.excerpt} />
                  <span className="mt-2 block text-xs text-ink-2"><span className="cite">{s.label}</span> {name(s) && `${name(s)} · `}{s.title} · <span className="num">v{s.version}</span> · <span className="num">{day(s.published_at)}</span></span>
                  <span className="mt-1 block"><Status value={s.status} /></span>
                </button>
              ))}
            </div>
          </div>
        ))}
      </div>
    </section>
  )
}
