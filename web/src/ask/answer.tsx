import { CircleAlert, CircleCheck, CircleDashed, CircleX, type LucideIcon } from 'lucide-react'
import { useMemo, useState } from 'react'

import type { Check, Citation, Run, Verdict } from '../api/types'
import { useWords } from '../i18n'
import { figures } from '../lib/text'
import { blocks, Reader, type Part, type Token } from '../lib/sentences'
import { cx } from '../ui/basic'
import { CheckCard } from './check'
import { Mark } from './mark'
import { useSelection } from './select'

const icons: Record<Verdict, LucideIcon> = { supported: CircleCheck, partly: CircleAlert, not_found: CircleDashed, contradicted: CircleX }
const colours: Record<Verdict, string> = { supported: 'text-good', partly: 'text-warn', not_found: 'text-mute', contradicted: 'text-bad' }

const sections = ['conclusion', 'basis', 'to_confirm', 'next_steps'] as const

interface Passage { heading: string; blocks: { kind: string; parts: Part[]; text: string }[] }

// Answer shows what a run says, each sentence with its check, and the marks as buttons.
export function Answer({ run }: { run: Run }) {
  const { t } = useWords()
  const { passages, rest } = useMemo(() => {
    const reader = new Reader(run.checks)
    const read = (heading: string, text: string): Passage => ({ heading, blocks: blocks(text).map((b) => ({ ...b, parts: b.kind === 'code' ? [] : reader.read(b.text) })) })
    const written = sections.filter((s) => run.sections[s])
    const passages = written.length && run.kind !== 'draft' ? written.map((s) => read(s, run.sections[s])) : [read('', run.answer)]
    return { passages, rest: reader.rest() }
  }, [run])
  // A sentence may stand twice: its check opens where it was asked for.
  const [opened, setOpened] = useState('')
  const byLabel = useMemo(() => new Map(run.citations.map((c) => [c.label, c])), [run])
  const toggle = (key: string) => setOpened(opened === key ? '' : key)
  return (
    <div className="space-y-4">
      {passages.map((p) => (
        <section key={p.heading || 'all'} aria-label={p.heading ? t(`section.${p.heading as (typeof sections)[number]}`) : undefined}>
          {p.heading && <h3 className="eyebrow mb-1">{t(`section.${p.heading as (typeof sections)[number]}`)}</h3>}
          <div className={cx('space-y-2', p.heading === 'conclusion' ? 'text-lg' : 'text-base')}>
            {p.blocks.map((b, i) => {
              if (b.kind === 'code') return <pre key={i} className="overflow-x-auto rounded-md bg-sunken p-3 font-mono text-xs">{b.text}</pre>
              const key = (x: Part) => `${p.heading} ${i} ${x.check}`
              const inner = b.parts.map((part, k) => <Sentence key={k} part={part} run={run} byLabel={byLabel} opened={opened === key(part)} toggle={() => toggle(key(part))} />)
              const card = b.parts.find((x) => x.check !== null && key(x) === opened)
              return (
                <div key={i}>
                  {b.kind === 'h' ? <h4 className="font-semibold">{inner}</h4> : b.kind === 'li' ? <p className="flex gap-2"><span aria-hidden className="text-ink-3">•</span><span>{inner}</span></p> : <p className="whitespace-pre-line">{inner}</p>}
                  {card && <CheckCard run={run} check={run.checks[card.check!]!} onClose={() => setOpened('')} />}
                </div>
              )
            })}
          </div>
        </section>
      ))}
      {rest.length > 0 && (
        <section aria-label={t('checks.rest')}>
          <h3 className="eyebrow mb-1">{t('checks.rest')}</h3>
          {rest.map((i) => (
            <div key={i} className="text-sm">
              <Sentence part={{ check: i, tokens: [{ kind: 'words', text: run.checks[i]!.sentence }] }} run={run} byLabel={byLabel} opened={opened === `rest ${i}`} toggle={() => toggle(`rest ${i}`)} />
              {opened === `rest ${i}` && <CheckCard run={run} check={run.checks[i]!} onClose={() => setOpened('')} />}
            </div>
          ))}
        </section>
      )}
      {run.checks.length > 0 && <p className="text-xs text-ink-3">{t('checks.truth')}</p>}
    </div>
  )
}

function Sentence({ part, run, byLabel, opened, toggle }: {
  part: Part; run: Run; byLabel: Map<string, Citation>; opened: boolean; toggle: () => void
}) {
  const { choice, pick } = useSelection()
  const check = part.check === null ? null : run.checks[part.check]!
  const tokens = part.tokens.map((x, i) => <Piece key={i} token={x} run={run.run_id} check={check} byLabel={byLabel} onSaid={check ? () => pick(run.run_id, part.check!, check.labels) : undefined} />)
  if (!check) return <>{tokens}</>
  const lit = choice?.run === run.run_id && (choice.check === part.check || (choice.check === null && check.labels.includes(choice.label)))
  return (
    <span className="sentence" data-verdict={check.verdict} data-lit={lit || undefined}>
      {tokens}
      <Verdict check={check} open={opened} onClick={() => { toggle(); pick(run.run_id, part.check!, check.labels) }} />{' '}
    </span>
  )
}

function Piece({ token, run, check, byLabel, onSaid }: { token: Token; run: string; check: Check | null; byLabel: Map<string, Citation>; onSaid?: () => void }) {
  const { t } = useWords()
  if (token.kind === 'mark') return <Mark run={run} label={token.label} citation={byLabel.get(token.label)} quote={check?.quote} />
  if (!check) return <Plain text={token.text} />
  const cited = check.labels.flatMap((l) => byLabel.get(l)?.excerpt ?? [])
  return (
    // The same is done by the button with the verdict; this is for the pointer.
    <span className="said" onClick={onSaid}>
      {figures(token.text, cited).map((f, i) => f.kind === 'plain' ? <Plain key={i} text={f.text} />
        : <span key={i} className={f.kind} title={t(f.kind === 'found' ? 'figure.found' : 'figure.missing')}>{f.text}{f.kind === 'missing' && <span className="sr-only"> ({t('figure.missing')})</span>}</span>)}
    </span>
  )
}

// Plain knows bold and code, and nothing that could lead anywhere.
export function Plain({ text }: { text: string }) {
  return (
    <>
      {text.split(/(\*\*[^*\n]+\*\*|`[^`\n]+`)/).map((s, i) =>
        i % 2 === 0 ? s : s.startsWith('`') ? <code key={i} className="rounded-sm bg-sunken px-1 font-mono text-[0.85em]">{s.slice(1, -1)}</code> : <strong key={i} className="font-semibold">{s.slice(2, -2)}</strong>)}
    </>
  )
}

function Verdict({ check, open, onClick }: { check: Check; open: boolean; onClick: () => void }) {
  const { t, word } = useWords()
  const Icon = icons[check.verdict] ?? CircleDashed
  const name = word('verdict', check.verdict)
  return (
    <button
      type="button" aria-expanded={open} aria-label={t('check.open', { v: name })} title={t('check.open', { v: name })} onClick={onClick} data-check={check.verdict}
      className={cx('ml-1 inline-flex items-center gap-1 rounded-sm px-1 align-baseline text-xs font-medium hover:bg-hover', colours[check.verdict] ?? 'text-mute')}
    ><Icon size={13} aria-hidden />{name}</button>
  )
}
