import type { Check } from '../api/types'

export interface Mark { kind: 'mark'; label: string }
export interface Words { kind: 'words'; text: string }
export type Token = Mark | Words

// Part is a run of tokens with the check that speaks of it, or null between sentences.
export interface Part { check: number | null; tokens: Token[] }

const mark = /\[([SC]\d+)\]/g

const letter = /[\p{L}\p{N}]/u

// letters lists the letters and digits of a text with their places. Sentences are found by them
// alone, so that marks, spaces and the signs of Markdown make no difference.
function letters(text: string): { text: string; at: number[] } {
  const hidden = new Set<number>()
  for (const m of text.matchAll(mark)) for (let i = 0; i < m[0].length; i++) hidden.add(m.index + i)
  let out = ''
  const at: number[] = []
  for (let i = 0; i < text.length; ) {
    const c = String.fromCodePoint(text.codePointAt(i)!)
    if (!hidden.has(i) && letter.test(c)) {
      for (let k = 0; k < c.length; k++) at.push(i + k)
      out += c
    }
    i += c.length
  }
  return { text: out, at }
}

// opening are the signs that stand directly before a text and belong to it.
const opening = /[\p{Ps}\p{Pi}\p{Sc}*_`"'<>~#&]+$/u

// opens is how many of the signs between two sentences open the second: those that do nothing but open, and of those that
// open and close alike what would be left over in the first.
function opens(text: string, end: number, to: number): number {
  const between = text.slice(end, to)
  const signs = opening.exec(between)?.[0] ?? ''
  if (signs === '') return 0
  const said = text.slice(text.lastIndexOf('\n', end - 1) + 1, end)
  for (let n = signs.length; n > 0; n--) {
    const own = signs.slice(signs.length - n)
    const first = own.startsWith('**') ? '**' : own[0]!
    const pairs = /^["'`*_~]/.test(first)
    const open = pairs && (said + between.slice(0, between.length - n)).split(first).length % 2 === 0
    if (!open && first !== '>') return n
  }
  return 0
}

// loose is how much at the end of the signs behind a sentence stands apart from it: behind a space, and without a reference.
function loose(between: string): number {
  const m = /\s[^\[\]]*$/.exec(between)
  return m && !/^\s+[。．.!！?？;；:：，,、)）”’"']/.test(m[0]) ? m[0].length : 0
}

function tokens(text: string): Token[] {
  const out: Token[] = []
  let at = 0
  for (const m of text.matchAll(mark)) {
    if (m.index > at) out.push({ kind: 'words', text: text.slice(at, m.index) })
    out.push({ kind: 'mark', label: m[1]! })
    at = m.index + m[0].length
  }
  if (at < text.length) out.push({ kind: 'words', text: text.slice(at) })
  return out
}

// Reader assigns the checks of an answer to its sentences. It reads the sections in their order. A
// sentence that stands twice and was checked twice gets both checks; one that was checked once has
// that check wherever it stands.
export class Reader {
  private used = new Set<number>()
  private needles: string[]
  constructor(private checks: Check[]) {
    this.needles = checks.map((c) => letters(c.sentence).text)
  }

  read(text: string): Part[] {
    const l = letters(text)
    const spans: { start: number; end: number; check: number }[] = []
    const free = (start: number, end: number) => spans.every((s) => end <= s.start || start >= s.end)
    const assign = (i: number, all: boolean) => {
      const needle = this.needles[i]!
      for (let k = needle ? l.text.indexOf(needle) : -1; k >= 0; k = l.text.indexOf(needle, k + 1)) {
        const [from, to] = [l.at[k]!, l.at[k + needle.length - 1]! + 1]
        // Signs between two sentences belong to one of them: to the one that was found first.
        const start = spans.reduce((n, s) => (s.end <= from ? Math.max(n, s.end) : n), this.head(text, from))
        const end = spans.reduce((n, s) => (s.start >= to ? Math.min(n, s.start) : n), this.tail(text, to))
        if (!free(start, end)) continue
        spans.push({ start, end, check: i })
        this.used.add(i)
        if (!all) return
      }
    }
    this.needles.forEach((_, i) => { if (!this.used.has(i)) assign(i, false) })
    this.needles.forEach((_, i) => { if (this.used.has(i)) assign(i, true) })
    spans.sort((a, b) => a.start - b.start)
    const out: Part[] = []
    let at = 0
    for (const s of spans) {
      if (s.start > at) out.push({ check: null, tokens: tokens(text.slice(at, s.start)) })
      out.push({ check: s.check, tokens: tokens(text.slice(s.start, s.end)) })
      at = s.end
    }
    if (at < text.length) out.push({ check: null, tokens: tokens(text.slice(at)) })
    return out
  }

  // head takes what opens before a sentence to it, but not what belongs to the one before.
  private head(text: string, start: number): number {
    return start - (opening.exec(text.slice(0, start))?.[0].length ?? 0)
  }

  // tail takes the references and signs behind a sentence to it, up to the next letter: signs alone say nothing, and have no
  // verdict of their own. What opens before the next letter belongs there.
  private tail(text: string, end: number): number {
    let to = end
    for (let i = end; i < text.length; ) {
      const rest = text.slice(i)
      const cited = /^\[[SC]\d+\]/.exec(rest)?.[0]
      const c = cited ?? String.fromCodePoint(text.codePointAt(i)!)
      if (!cited && letter.test(c)) break
      i += c.length
      if (cited || c.trim() !== '') to = i
    }
    if (to === text.length || !letter.test(String.fromCodePoint(text.codePointAt(to)!))) return to - loose(text.slice(end, to))
    return to - opens(text, end, to)
  }

  // rest are the checks whose sentences were not found in what was read.
  rest(): number[] {
    return this.checks.map((_, i) => i).filter((i) => !this.used.has(i))
  }
}

export interface Block { kind: 'p' | 'li' | 'h' | 'code'; text: string }

// blocks parts an answer into paragraphs, list items, headings and code. Nothing else of Markdown
// is known: what looks like a link, an image or HTML stays the text that it is.
export function blocks(text: string): Block[] {
  const out: Block[] = []
  let code: string[] | null = null
  let para: string[] = []
  const flush = () => {
    if (para.length) out.push({ kind: 'p', text: para.join('\n') })
    para = []
  }
  for (const line of text.split('\n')) {
    if (line.startsWith('```')) {
      if (code) { out.push({ kind: 'code', text: code.join('\n') }); code = null } else { flush(); code = [] }
      continue
    }
    if (code) { code.push(line); continue }
    const item = /^\s*(?:[-*+]|\d{1,3}[.)])\s+(.*)$/.exec(line)
    const head = /^#{1,6}\s+(.*)$/.exec(line)
    if (item) { flush(); out.push({ kind: 'li', text: item[1]! }) }
    else if (head) { flush(); out.push({ kind: 'h', text: head[1]! }) }
    else if (line.trim() === '') flush()
    else para.push(line)
  }
  if (code) out.push({ kind: 'code', text: code.join('\n') })
  flush()
  return out
}
