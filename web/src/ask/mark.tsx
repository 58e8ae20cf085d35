import { useEffect, useId, useRef, useState } from 'react'
import { createPortal } from 'react-dom'

import type { Citation, Quote } from '../api/types'
import { useWords } from '../i18n'
import { where } from '../lib/text'
import { Status } from '../ui/basic'
import { useBaseName } from './scope'
import { useSelection } from './select'
import { Passage } from './told'

// Mark is the reference of a sentence to a source: a button that opens it beside the answer, with a
// card that says what it is while it is pointed at or has the focus.
export function Mark({ run, label, citation, quote }: { run: string; label: string; citation: Citation | undefined; quote?: string }) {
  const { t } = useWords()
  const id = useId()
  const ref = useRef<HTMLButtonElement>(null)
  const [card, setCard] = useState<DOMRect | null>(null)
  const { choice, open, lit } = useSelection()
  const gone = !citation || citation.withheld
  useEffect(() => {
    if (!card) return
    const off = () => setCard(null)
    const key = (e: KeyboardEvent) => { if (e.key === 'Escape') { e.stopPropagation(); off() } }
    addEventListener('scroll', off, true)
    addEventListener('keydown', key, true)
    return () => { removeEventListener('scroll', off, true); removeEventListener('keydown', key, true) }
  }, [card])
  const show = () => setCard(ref.current?.getBoundingClientRect() ?? null)
  const current = choice?.run === run && choice.label === label
  return (
    <>
      <button
        ref={ref} type="button" className="cite" data-cite={label} data-run={run} data-gone={gone || undefined}
        data-current={current || (lit?.run === run && lit.labels.includes(label)) || undefined}
        aria-label={gone ? t('cite.gone', { l: label }) : t('cite.open', { l: label, title: citation.title })}
        aria-describedby={card ? id : undefined}
        onMouseEnter={show} onMouseLeave={() => setCard(null)} onFocus={show} onBlur={() => setCard(null)}
        onClick={() => { setCard(null); open(run, label, ref.current) }}
      >{label}</button>
      {card && createPortal(<Card id={id} at={card} label={label} citation={gone ? undefined : citation} quote={quote} />, document.body)}
    </>
  )
}

function Card({ id, at, label, citation, quote }: { id: string; at: DOMRect; label: string; citation: Citation | undefined; quote?: string }) {
  const { t, day } = useWords()
  const ref = useRef<HTMLDivElement>(null)
  const below = at.bottom + 240 < innerHeight
  const left = Math.max(8, Math.min(at.left - 12, innerWidth - 348))
  const name = useBaseName()
  const base = citation && name(citation)
  const q: Quote | undefined = citation?.quotes.find((x) => x.text === quote) ?? citation?.quotes[0]
  return (
    <div
      ref={ref} id={id} role="tooltip"
      style={{ left, ...(below ? { top: at.bottom + 6 } : { bottom: innerHeight - at.top + 6 }) }}
      className="pointer-events-none fixed z-40 w-[340px] max-w-[calc(100vw-16px)] rounded-lg border border-line-strong bg-surface p-3 text-sm"
    >
      {!citation ? <p className="text-ink-2">{t('cite.gone', { l: label })}</p> : (
        <>
          <blockquote className="border-l-2 border-accent pl-2.5"><Passage short text={q?.text ?? citation.excerpt.slice(0, 240)} locator={q?.locator ?? citation.locator} excerpt={citation.excerpt} /></blockquote>
          <p className="mt-2 font-medium">{citation.title}</p>
          <p className="num mt-0.5 flex flex-wrap items-center gap-x-2 gap-y-1 text-xs text-ink-2">
            {base && <span>{base}</span>}<span>v{citation.version}</span>{citation.published_at && <span data-published>{day(citation.published_at)}</span>}<Status value={citation.status} />
            <span>{where(q?.locator ?? citation.locator, t)}</span>
          </p>
        </>
      )}
    </div>
  )
}
