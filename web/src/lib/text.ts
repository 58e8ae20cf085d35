import type { Chunk, Locator, Quote, Span } from '../api/types'

// Spans of the interface count code points; strings of the language count UTF-16 units.
export const points = (s: string) => Array.from(s)

// unsteered is a name without the characters that turn the direction of writing: with them a name may look like another.
export const unsteered = (name: string): string => name.replace(/[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/g, '')

export interface Piece { text: string; hit: boolean }

// cut parts a text that begins at a place into pieces inside and outside of spans.
export function cut(text: string, begins: number, spans: Span[]): Piece[] {
  const p = points(text)
  const inside = spans
    .map((s) => ({ start: Math.max(0, s.start - begins), end: Math.min(p.length, s.end - begins) }))
    .filter((s) => s.start < s.end)
    .sort((a, b) => a.start - b.start)
  const out: Piece[] = []
  let at = 0
  for (const s of inside) {
    const from = Math.max(at, s.start)
    if (from >= s.end) continue
    if (from > at) out.push({ text: p.slice(at, from).join(''), hit: false })
    out.push({ text: p.slice(from, s.end).join(''), hit: true })
    at = s.end
  }
  if (at < p.length) out.push({ text: p.slice(at).join(''), hit: false })
  return out
}

// stands reports whether a quote is what stands at its span of a text that begins at a place.
export function stands(text: string, begins: number, span: Span, quote: string): boolean {
  return points(text).slice(span.start - begins, span.end - begins).join('') === quote
}

// placed are the spans of the quotes that stand in the chunks, letter by letter: in every chunk that a
// quote reaches into, and in one at least.
export function placed(chunks: Pick<Chunk, 'text' | 'span'>[], quotes: Pick<Quote, 'text' | 'span'>[]): Span[] {
  return quotes.filter((q) => {
    const met = chunks.filter((c) => Math.max(q.span.start, c.span.start) < Math.min(q.span.end, c.span.end))
    return met.length > 0 && met.every((c) => {
      const start = Math.max(q.span.start, c.span.start)
      const end = Math.min(q.span.end, c.span.end)
      return stands(c.text, c.span.start, { start, end }, points(q.text).slice(start - q.span.start, end - q.span.start).join(''))
    })
  }).map((q) => q.span)
}

// plainly is a passage of Markdown without its marks, for where it is told in a line or two; of anything else it is what it was.
export function plainly(text: string, l: Locator | undefined): string {
  if (l?.kind !== 'md') return text
  // A snippet may have the lines of its passage on one.
  return text.replace(/\|[ \t]*:?-{3}[ \t|:-]*\|/g, '|').split('\n').filter((line) => !/^\s*(?:\||-{3,})\s*$/.test(line))
    .map((line) => line.replace(/^\s*#{1,6}\s+/, '').replace(/\s#{1,6}\s+/g, ' · ').replace(/\*\*([^*]+)\*\*/g, '$1')
      .replace(/^\s*\|\s*|\s*\|\s*$/g, '').replace(/\s*\|[\s|]*/g, ' · '))
    .join('\n')
}

const literal = /[A-Za-z]+[-.]?\d[\w.-]*|v?\d[\d,.:/-]*\d%?|\d%?|[０-９]+/g

const plain = (s: string) => s.normalize('NFKC').replace(/(?<=\d),(?=\d)/g, '').toLowerCase()

export interface Figure { text: string; kind: 'plain' | 'found' | 'missing' }

// figures marks the numbers, dates and codes of a sentence by whether they stand literally in the
// texts that it cites.
export function figures(sentence: string, sources: string[]): Figure[] {
  const out: Figure[] = []
  const haystack = plain(sources.join('\n'))
  let at = 0
  for (const m of sentence.matchAll(literal)) {
    if (m.index > at) out.push({ text: sentence.slice(at, m.index), kind: 'plain' })
    out.push({ text: m[0], kind: whole(haystack, plain(m[0])) ? 'found' : 'missing' })
    at = m.index + m[0].length
  }
  if (at < sentence.length) out.push({ text: sentence.slice(at), kind: 'plain' })
  return out
}

// whole looks for a word that is not a part of a longer number or code: 50 is not found in 650.
function whole(haystack: string, word: string): boolean {
  for (let i = haystack.indexOf(word); i >= 0; i = haystack.indexOf(word, i + 1)) {
    const before = haystack[i - 1] ?? ''
    const after = haystack.slice(i + word.length, i + word.length + 2)
    if (!/[\da-z]/.test(before) && !/^(\d|\.\d)/.test(after)) return true
  }
  return false
}

const strings = (v: unknown) => (Array.isArray(v) ? v.filter((x) => typeof x === 'string') : []) as string[]

// where says in words which place a locator names.
export function where(l: Locator | undefined, t: (key: 'place.page' | 'place.pages' | 'place.printed' | 'place.sheet' | 'place.slide' | 'place.file' | 'place.image' | 'place.layer' | 'place.layer.alone' | 'place.line' | 'place.lines' | 'place.row' | 'place.rows' | 'place.table' | 'place.paragraph' | 'place.attachment' | 'place.header' | 'place.part', p?: Record<string, string | number>) => string): string {
  if (!l) return ''
  const n = (key: string) => (typeof l[key] === 'number' || typeof l[key] === 'string' ? String(l[key]) : '')
  const out: string[] = []
  const heading = strings(l.heading)
  if (heading.length) out.push(heading.slice(-2).join(' › '))
  if (n('page')) {
    // Numbers are those of the file; what is printed on a page is said beside its number, and not of a range.
    const range = n('page_end') !== '' && n('page_end') !== n('page')
    out.push(range ? t('place.pages', { a: n('page'), b: n('page_end') }) : t('place.page', { n: n('page') }))
    if (!range && n('page_label')) out.push(t('place.printed', { l: n('page_label') }))
  }
  if (n('sheet')) out.push(t('place.sheet', { s: n('sheet'), c: n('range') || n('cell') }))
  if (n('slide')) out.push(t('place.slide', { n: n('slide') }))
  if (n('layer')) out.push(n('handle') ? t('place.layer', { l: n('layer'), h: n('handle') }) : t('place.layer.alone', { l: n('layer') }))
  if (n('spine') && (!heading.length || n('spine_end'))) out.push(t('place.file', { n: n('spine') + (n('spine_end') && `–${n('spine_end')}`) }))
  if (l.kind === 'image') out.push(t('place.image'))
  if (n('attachment')) out.push(t('place.attachment', { n: n('attachment') }))
  if (n('header') && l.kind === 'eml') out.push(t('place.header', { n: n('header') }))
  if (l.kind === 'eml' && n('part') && !n('attachment') && !n('header')) out.push(t('place.part', { n: n('part') }))
  if (n('table')) out.push(t('place.table', { n: n('table') }))
  if (n('row') && l.kind === 'csv') out.push(n('row_end') && n('row_end') !== n('row') ? t('place.rows', { a: n('row'), b: n('row_end') }) : t('place.row', { n: n('row') }))
  if (n('paragraph') && !heading.length) out.push(t('place.paragraph', { n: n('paragraph') }))
  if (n('line') && l.kind !== 'docx') out.push(n('line_end') && n('line_end') !== n('line') ? t('place.lines', { a: n('line'), b: n('line_end') }) : t('place.line', { n: n('line') }))
  return out.join(' · ')
}

export function bytes(n: number): string {
  if (n < 1024) return `${n} B`
  if (n < 1 << 20) return `${(n / 1024).toFixed(1)} KB`
  return `${(n / (1 << 20)).toFixed(1)} MB`
}
