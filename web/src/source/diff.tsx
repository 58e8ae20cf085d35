import type { Diff, DiffLine, DiffNumber, DiffSection } from '../api/types'
import { useWords } from '../i18n'
import { Badge, cx } from '../ui/basic'

export function Lines({ lines }: { lines: DiffLine[] }) {
  const { t } = useWords()
  return (
    <ul className="space-y-0.5 text-sm">
      {lines.map((l, i) => (
        <li key={i} className={cx('flex gap-2 rounded-sm px-2 py-0.5', l.op === 'added' ? 'bg-good-soft' : 'bg-bad-soft')}>
          <span aria-hidden className={cx('font-mono', l.op === 'added' ? 'text-good' : 'text-bad')}>{l.op === 'added' ? '+' : '−'}</span>
          <span className="sr-only">{t(l.op === 'added' ? 'diff.added' : 'diff.removed')}</span>
          <span className="min-w-0 break-words whitespace-pre-wrap">{l.text}</span>
        </li>
      ))}
    </ul>
  )
}

// figure writes a number with its unit; one that only one version has is a dash in the other.
function figure(value: string, unit: string): string {
  if (!value) return '–'
  return /^[A-Za-z]/.test(unit) ? `${value} ${unit}` : value + unit
}

export function Numbers({ numbers }: { numbers: DiffNumber[] }) {
  const { t } = useWords()
  if (numbers.length === 0) return null
  return (
    <ul className="num mb-2 flex flex-wrap gap-1.5" aria-label={t('diff.numbers')}>
      {numbers.map((n, i) => (
        <li key={i} title={n.heading_path.join(' › ')} className="rounded-sm border border-line-strong bg-surface px-2 py-0.5 text-sm">
          <del className="text-bad">{figure(n.old, n.old_unit)}</del> → <ins className="font-medium text-good no-underline">{figure(n.new, n.unit)}</ins>
        </li>
      ))}
    </ul>
  )
}

// Comparison shows what changed between two versions, section by section.
export function Comparison({ diff }: { diff: Diff }) {
  const { t } = useWords()
  const c = diff.counts
  const groups: [string, DiffSection[], 'good' | 'bad' | 'accent' | 'mute'][] = [
    [t('diff.changed'), diff.changed, 'accent'], [t('diff.added'), diff.added, 'good'], [t('diff.removed'), diff.removed, 'bad'], [t('diff.moved'), diff.moved, 'mute'],
  ]
  const same = c.lines_added + c.lines_removed + c.sections_moved === 0
  return (
    <div data-comparison>
      <p className="num mb-3 text-sm text-ink-2">
        v{diff.from.version} → v{diff.to.version} · {same ? t('diff.same') : t('diff.counts', { s: c.sections_changed + c.sections_added + c.sections_removed, a: c.lines_added, r: c.lines_removed, n: c.numbers_changed })}
        {diff.policy_differs && <> · <span className="text-warn">{t('diff.policy')}</span></>}
      </p>
      <Numbers numbers={diff.numbers} />
      <div className="space-y-3">
        {groups.flatMap(([name, sections, tone]) => sections.map((s, i) => (
          <section key={name + i} className="card overflow-hidden">
            <h4 className="flex flex-wrap items-center gap-2 border-b border-line bg-sunken px-3 py-1.5 text-sm font-medium">
              <Badge tone={tone}>{name}</Badge><span className="min-w-0 flex-1">{s.heading_path.join(' › ') || t('diff.nohead')}</span>
              {s.former_path && <span className="text-xs text-ink-3">{t('diff.former', { p: s.former_path.join(' › ') })}</span>}
            </h4>
            {s.lines.length > 0 && <div className="p-2"><Lines lines={s.lines} /></div>}
          </section>
        )))}
      </div>
      {diff.truncated && <p className="mt-2 text-xs text-ink-3">{t('diff.truncated')}</p>}
    </div>
  )
}
