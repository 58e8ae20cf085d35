import type { Locator } from '../api/types'
import { told } from '../lib/rows'
import { cx } from '../ui/basic'

// Passage shows what is quoted in little room, and rows of a table in their cells. It stands in buttons and in lines too, so
// that it is made of nothing but spans.
export function Passage({ text, locator, excerpt, short }: { text: string; locator: Locator | undefined; excerpt?: string; short?: boolean }) {
  const parts = told(text, locator, excerpt)
  const rows = parts.some((p) => 'rows' in p)
  return (
    <span className={cx('block', short && (rows ? 'max-h-36 overflow-hidden' : 'line-clamp-5'))}>
      {parts.map((p, i) => ('rows' in p ? (
        <span key={i} role="table" className="my-0.5 table max-w-full border-collapse text-sm break-words">
          {p.head && <span role="row" className="table-row text-xs text-ink-3">{p.head.map((c, k) => <span key={k} role="columnheader" className={cell}>{c}</span>)}</span>}
          {p.rows.map((r, n) => <span key={n} role="row" className="table-row">{r.map((c, k) => <span key={k} role="cell" className={cell}>{c}</span>)}</span>)}
        </span>
      ) : <span key={i} className="block whitespace-pre-line">{p.lines}</span>))}
    </span>
  )
}

const cell = 'table-cell border border-line px-1.5 py-0.5'
