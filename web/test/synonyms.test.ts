import { expect, it, vi } from 'vitest'

import { Problem } from '../src/api/client'

vi.stubGlobal('sessionStorage', { getItem: () => null })
const { span, wrong } = await import('../src/screens/synonyms')

it('a line of a list stands where it is marked, in any script', () => {
  const text = 'OA, 办公自动化\n\n𠮷野家\nlast'
  expect([0, 1, 2, 3].map((n) => { const s = span(text, n); return text.slice(s.start, s.end) })).toEqual(['OA, 办公自动化', '', '𠮷野家', 'last'])
  expect(span(text, 9)).toEqual({ start: text.length + 1, end: text.length + 1 })
})

it('lines that cannot be used are taken from what the server says of them, and nothing else', () => {
  const fields = [{ pointer: '/lines/1', detail: 'a' }, { pointer: '/lines/12', detail: 'b' }, { pointer: '/lines', detail: 'c' }, { pointer: '/lines/x', detail: 'd' }]
  expect(wrong(new Problem(422, 'invalid_lexicon', '', fields))).toEqual([{ line: 1, detail: 'a' }, { line: 12, detail: 'b' }])
  expect(wrong(new Problem(422, 'invalid_request', '', fields))).toEqual([])
  expect(wrong(new Error('x'))).toEqual([])
  expect(wrong(null)).toEqual([])
})
