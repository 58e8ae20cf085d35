import { describe, expect, it } from 'vitest'

import type { Quote } from '../src/api/types'
import { closer, fitted, marked, moved, type Sketch } from '../src/lib/sketch'

const sketch: Sketch = {
  width: 100_000, height: 50_000, scale: [100, -100], shift: [0, 50_000], partial: false, sheet: { name: 'model', hidden: false }, sheets: [], strokes: [],
  labels: [
    { id: 'doc-entity-1', box: [1000, 40_000, 3000, 41_000], lines: [{ text: 'design pressure', transform: '', anchor: 'start' }, { text: '16 bar', transform: '', anchor: 'start' }] },
    { id: 'doc-entity-2', box: [5000, 40_000, 7000, 41_000], lines: [{ text: 'DN50', transform: '', anchor: 'start' }] },
    { id: '', box: null, lines: [{ text: '16 bar', transform: '', anchor: 'start' }] },
  ],
}
const quote = (text: string, region: unknown, more: object = {}): Quote => ({ text, span: { start: 0, end: 1 }, locator: { kind: 'dxf', shown: 'model', region, ...more } })
const first = [10, 90, 30, 100]

describe('places on a drawing', () => {
  it('are marked where their words stand', () => {
    expect(marked(sketch, [quote('16 bar', first)])).toEqual([[1000, 40_000, 3000, 41_000]])
    expect(marked(sketch, [quote('design  pressure 16 bar, and DN50', [10, 90, 70, 100])])).toHaveLength(2)
    expect(marked(sketch, [quote('16 bar', first), quote('16 bar', first)])).toHaveLength(1)
  })
  it('are not marked where other words stand, on another sheet, or nowhere', () => {
    for (const q of [
      quote('17 bar', first), quote('16 bar', [50, 90, 70, 100]), quote('16 bar', first, { shown: 'A1' }), quote('16 bar', first, { hidden: true }),
      quote('16 bar', undefined), quote('16 bar', [1, 2, 3]), quote('16 bar', ['1', 2, 3, 4]),
    ]) expect(marked(sketch, [q])).toEqual([])
  })
})

describe('the view of a drawing', () => {
  const whole = { x: 0, y: 0, w: 100_000, h: 50_000 }
  it('shows the place with what is around it, or all of the sheet', () => {
    const v = fitted(sketch, [[1000, 40_000, 3000, 41_000]])
    expect(v.x).toBeLessThan(1000)
    expect(v.y).toBeLessThan(40_000)
    expect(v.x + v.w).toBeGreaterThan(3000)
    expect(v.y + v.h).toBeGreaterThan(41_000)
    expect(v.w).toBeLessThan(20_000)
    expect(fitted(sketch, [])).toEqual(whole)
  })
  it('keeps its middle when it comes closer, within bounds', () => {
    const v = closer(whole, 2, whole)
    expect(v).toEqual({ x: 25_000, y: 12_500, w: 50_000, h: 25_000 })
    expect(closer(whole, 1e9, whole).w).toBe(50)
    expect(closer(whole, 1e-9, whole).w).toBe(150_000)
  })
  it('does not leave the sheet when it moves', () => {
    const v = closer(whole, 4, whole)
    const far = moved(v, 1e9, -1e9, whole)
    expect(far.x + far.w / 2).toBe(100_000)
    expect(far.y + far.h / 2).toBe(0)
    const beside = { x: 200_000, y: 0, w: 1000, h: 500 } // a place may lie there
    expect(moved(beside, 0, 0, whole)).toEqual(beside)
    expect(moved(beside, 5000, 0, whole)).toEqual(beside)
    expect(moved(beside, -5000, 0, whole).x).toBe(195_000)
  })
})
