import type { Span } from '../api/types'
import { cut, points, type Piece } from '../lib/text'
import { cx } from '../ui/basic'

// Lines shows a text as it is stored, each line in the look of what it is, with nothing of it left
// out: what is marked and copied is the very text.
export function Lines({ text, begins, spans }: { text: string; begins: number; spans: Span[] }) {
  let at = begins
  return (
    <>
      {text.split('\n').map((line, i) => {
        const from = at
        at += points(line).length + 1
        return <div key={i} className={cx('min-h-[0.6em] break-words whitespace-pre-wrap', look(line))}>{cut(line, from, spans).map(piece)}</div>
      })}
    </>
  )
}

function piece(p: Piece, i: number) {
  return p.hit ? <mark key={i} className="hit">{p.text}</mark> : <span key={i}>{p.text}</span>
}

function look(line: string): string {
  if (/^#{1,2} /.test(line)) return 'mt-1 text-base font-semibold'
  if (/^#{3,6} /.test(line)) return 'mt-1 font-semibold'
  if (/^\|[\s|:-]+\|$/.test(line)) return 'text-ink-3 leading-3 text-xs'
  if (/^\|.*\|$/.test(line)) return 'num border-b border-line'
  return ''
}
