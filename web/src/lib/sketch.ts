import type { Locator, Quote } from '../api/types'

// A sheet of a drawing as the server writes it: an SVG of paths and texts alone. It is read into numbers and strings that
// are held against what they may be, and made anew of those: nothing of the markup reaches the page.

export type Box = [number, number, number, number]
export interface View { x: number; y: number; w: number; h: number }
export interface Sheet { name: string; hidden: boolean }
export interface Stroke { look: string; d: string }
export interface Label { id: string; box: Box | null; lines: { text: string; transform: string; anchor: 'start' | 'middle' | 'end' }[] }
export interface Sketch {
  width: number; height: number; scale: [number, number]; shift: [number, number]; partial: boolean
  sheet: Sheet; sheets: Sheet[]; strokes: Stroke[]; labels: Label[]
}

const numbers = (s: string | null, n: number): number[] | null => {
  const out = (s ?? '').split(' ').map(Number)
  return s && out.length === n && out.every(Number.isFinite) ? out : null
}

const anchors = new Set(['start', 'middle', 'end'])

// read reads a drawing; null for what is none.
export function read(svg: string): Sketch | null {
  const root = new DOMParser().parseFromString(svg, 'image/svg+xml').documentElement
  const view = numbers(root.getAttribute('viewBox'), 4)
  const scale = numbers(root.getAttribute('data-scale'), 2)
  const shift = numbers(root.getAttribute('data-shift'), 2)
  if (root.tagName !== 'svg' || !view || !scale || !shift || view[2]! <= 0 || view[3]! <= 0) return null
  const strokes: Stroke[] = []
  for (const p of root.querySelectorAll('path')) {
    const d = p.getAttribute('d') ?? ''
    if (/^M[-\dMlcz ]*$/.test(d)) strokes.push({ look: p.getAttribute('class')?.split(' ').filter((c) => /^doc-(ink-[a-z]+|area)$/.test(c)).join(' ') ?? '', d })
  }
  const labels: Label[] = []
  for (const g of root.querySelectorAll('g.doc-label')) {
    const lines: Label['lines'] = []
    for (const line of g.querySelectorAll('text')) {
      const transform = line.getAttribute('transform') ?? ''
      const anchor = line.getAttribute('text-anchor') ?? ''
      if (/^matrix\((-?[\d.]+ ){5}-?[\d.]+\)$/.test(transform) && anchors.has(anchor)) lines.push({ text: line.textContent ?? '', transform, anchor: anchor as 'start' })
    }
    labels.push({ id: g.getAttribute('id') ?? '', box: numbers(g.getAttribute('data-box'), 4) as Box | null, lines })
  }
  return {
    width: view[2]!, height: view[3]!, scale: scale as [number, number], shift: shift as [number, number], partial: root.getAttribute('data-partial') === 'true',
    sheet: { name: root.getAttribute('data-sheet') ?? '', hidden: root.getAttribute('data-hidden') === 'true' }, sheets: sheets(root.getAttribute('data-sheets')), strokes, labels,
  }
}

function sheets(json: string | null): Sheet[] {
  try {
    const list: unknown = JSON.parse(json ?? '[]')
    return Array.isArray(list) ? list.map((s: { name?: unknown; hidden?: unknown }) => ({ name: String(s.name ?? ''), hidden: s.hidden === true })) : []
  } catch {
    return []
  }
}

// region is where a place lies on the grid; null for one that is nowhere, or on another sheet.
function region(s: Sketch, l: Locator): Box | null {
  const r = l.region
  if (!Array.isArray(r) || r.length !== 4 || !r.every((v) => typeof v === 'number')) return null
  if (l.kind === 'dxf' && (l.shown !== s.sheet.name || (l.hidden === true) !== s.sheet.hidden)) return null
  const [x0, y0, x1, y1] = r as Box
  const x = [x0, x1].map((v) => v * s.scale[0] + s.shift[0])
  const y = [y0, y1].map((v) => v * s.scale[1] + s.shift[1])
  return [Math.min(...x), Math.min(...y), Math.max(...x), Math.max(...y)]
}

const flat = (s: string) => s.replace(/\s+/g, '')

// marked are the boxes of the texts that are quoted: those that stand in the region of the quote and whose words are in
// it, or it in them. Nothing is marked for words that are not there.
export function marked(s: Sketch, quotes: Quote[]): Box[] {
  const out: Box[] = []
  for (const q of quotes) {
    const at = region(s, q.locator)
    if (!at) continue
    const said = flat(q.text)
    const slack = 3 + 0.002 * Math.abs(s.scale[0])
    const inside = (b: Box) => b[0] >= at[0] - slack && b[1] >= at[1] - slack && b[2] <= at[2] + slack && b[3] <= at[3] + slack
    for (const l of s.labels) {
      if (!l.box || !l.id || !inside(l.box)) continue
      const words = flat(l.lines.map((x) => x.text).join(''))
      if (words !== '' && (said.includes(words) || words.includes(said)) && !out.includes(l.box)) out.push(l.box)
    }
  }
  return out
}

// fitted is the view in which places are seen with some of what is around them; all of the sheet where there are none.
export function fitted(s: Sketch, places: Box[]): View {
  if (places.length === 0) return { x: 0, y: 0, w: s.width, h: s.height }
  const x0 = Math.min(...places.map((p) => p[0])), y0 = Math.min(...places.map((p) => p[1]))
  const x1 = Math.max(...places.map((p) => p[2])), y1 = Math.max(...places.map((p) => p[3]))
  // A short text is seen with some of the drawing, a long one as large as may be.
  const w = Math.max((x1 - x0) * 1.6, Math.min(s.width * 0.15, (x1 - x0) * 8), 200)
  const h = Math.max((y1 - y0) * 1.6, Math.min(s.height * 0.15, w), 200)
  return { x: (x0 + x1) / 2 - w / 2, y: (y0 + y1) / 2 - h / 2, w, h }
}

// closer is a view so many times as close, around its middle, within what can be told apart and all of the sheet.
export function closer(v: View, by: number, whole: View): View {
  const most = Math.max(whole.w, whole.h) * 1.5
  const w = Math.min(Math.max(v.w / by, 50), Math.max(most, v.w))
  const h = (v.h * w) / v.w
  return { x: v.x + (v.w - w) / 2, y: v.y + (v.h - h) / 2, w, h }
}

// moved is a view elsewhere. Its middle stays on the sheet, unless it was not there before.
export function moved(v: View, dx: number, dy: number, whole: View): View {
  const held = (from: number, by: number, half: number, low: number, high: number) => {
    const middle = from + half
    return Math.min(Math.max(middle + by, Math.min(low, middle)), Math.max(high, middle)) - half
  }
  return { ...v, x: held(v.x, dx, v.w / 2, whole.x, whole.x + whole.w), y: held(v.y, dy, v.h / 2, whole.y, whole.y + whole.h) }
}
