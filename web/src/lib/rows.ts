import type { Locator } from '../api/types'
import { plainly } from './text'

// Told is a part of a passage as it is shown in little room: lines, or rows of a table with the cells that name their
// columns where those are known.
export type Told = { lines: string } | { head: string[] | null; rows: string[][] }

const trimmed = (cells: string[]) => cells.map((c) => c.trim())

// rule is the line below the header of a table of Markdown.
const rule = (line: string) => /^\s*\|?\s*:?-+:?\s*(?:\|\s*:?-+:?\s*)*\|?\s*$/.test(line) && line.includes('|') && line.includes('-')

// marked are the cells of a line of a table of Markdown. A line that has its rule in it is several lines on one, and none of its
// cells can be told from the next row's.
function marked(line: string): string[] | null {
  if (!/^\s*\|.*\|\s*$/.test(line) || /\|[ \t]*:?-{3}[ \t|:-]*\|/.test(line)) return null
  const cells = trimmed(line.trim().slice(1, -1).split(/(?<!\\)\|/)).map((c) => c.replaceAll('\\|', '|').replace(/\*\*([^*]+)\*\*/g, '$1'))
  return cells.length > 1 ? cells : null
}

// Kinds of which a line with bars is text, and no row.
const worded = new Set(['txt', 'md', 'image'])

// parted are the cells of a row as the readers of other formats write one. Where a place says whether it lies in a table, it is asked.
function parted(line: string, l: Locator): string[] | null {
  if (worded.has(l.kind) || (l.kind === 'docx' && typeof l.table !== 'number')) return null
  const cells = trimmed(line.split(' | '))
  return cells.length > 1 ? cells : null
}

// told parts a passage into what stands in lines and what stands in rows. The text itself is what it was: this is how it is shown alone.
export function told(text: string, l: Locator | undefined, excerpt = ''): Told[] {
  if (!l) return [{ lines: text }]
  const out: Told[] = []
  let lines: string[] = []
  let table: { head: string[] | null; rows: string[][] } | null = null
  const flush = () => {
    if (lines.length > 0) out.push({ lines: plainly(lines.join('\n'), l).replace(/^\n+|\n+$/g, '') })
    lines = []
  }
  const all = text.split('\n')
  all.forEach((line, i) => {
    if (l.kind === 'md' && table && rule(line)) {
      if (table.rows.length === 1 && !table.head) table.head = table.rows.pop()!
      return
    }
    const cells = l.kind === 'md' ? marked(line) : parted(line, l)
    if (!cells) {
      table = null
      lines.push(line)
      return
    }
    if (!table) {
      flush()
      // A header that the passage begins with stands in it; of rows from further below it is in what was read around them.
      table = { head: l.kind === 'md' && !rule(all[i + 1] ?? '') ? headed(line, cells.length, excerpt) : null, rows: [] }
      out.push(table)
    }
    table.rows.push(cells)
  })
  flush()
  return out.filter((p) => ('rows' in p ? p.head || p.rows.length > 0 : p.lines !== ''))
}

// headed are the cells that name the columns of a row, from the table that the row stands in.
function headed(row: string, width: number, excerpt: string): string[] | null {
  const lines = excerpt.split('\n')
  for (let i = lines.findIndex((x) => x.trim() === row.trim()); i > 0 && marked(lines[i]!); i--) {
    if (i > 1 && rule(lines[i - 1]!)) {
      const head = marked(lines[i - 2]!)
      return head?.length === width ? head : null
    }
  }
  return null
}
