import { expect, it } from 'vitest'

import type { Feedback, Run } from '../src/api/types'
import { cases } from '../src/lib/cases'

const mark = (change: Partial<Feedback>): Feedback => ({ run_id: 'run_a', user_id: 'alice', question: '上海住宿上限是多少？', sentence: '上限为每晚 650 元。', verdict: 'correct', note: '', withheld: false, created_at: '', updated_at: '', ...change })
const run = {
  run_id: 'run_a', checks: [{ sentence: '上限为每晚 650 元。', labels: ['S1'] }, { sentence: '含早餐。', labels: ['S2'] }],
  citations: [{ label: 'S1', doc_key: 'travel-policy' }, { label: 'S2', doc_key: 'breakfast' }, { label: 'S3', withheld: true }],
} as unknown as Run

it('makes a case of a correct sentence: its figures, and the documents that it cited', () => {
  expect(cases([mark({})], [run], 'alice', true)).toBe('format: 1\nlanguage: zh\ncases:\n  - id: "mark-1"\n    as: "alice"\n    question: "上海住宿上限是多少？"\n    doc_keys: ["travel-policy"]\n    contains: ["650"]\n')
})

it('makes a case of a wrong sentence: it must not be said again', () => {
  const text = cases([mark({ verdict: 'wrong', sentence: '含早餐。', note: '不含\n早餐' })], [run], 'alice', true)
  expect(text).toContain('    lacks: ["含早餐。"]\n')
  expect(text).toContain('  # 不含\n  # 早餐\n')
  expect(text).not.toContain('doc_keys')
})

it('says a sentence without figures as a whole, and of a correct answer its documents alone', () => {
  expect(cases([mark({ sentence: '含早餐。' })], [run], 'a', false)).toContain('contains: ["含早餐。"]')
  const whole = cases([mark({ sentence: '' })], [run], 'a', false)
  expect(whole).toContain('doc_keys: ["travel-policy", "breakfast"]')
  expect(whole).not.toContain('contains')
})

it('gives each case a name of its own and leaves out what makes none', () => {
  const text = cases([mark({}), mark({ sentence: '含早餐。' }), mark({ verdict: 'unclear' }), mark({ withheld: true }), mark({ verdict: 'wrong', sentence: '' }), mark({ run_id: 'run_b', sentence: '' })], [run], 'a', false)
  expect([...text.matchAll(/id: (.*)/g)].map((m) => m[1])).toEqual(['"mark-1"', '"mark-2"'])
  expect(text).not.toContain('run_')
  expect(cases([mark({ verdict: 'unclear' })], [run], 'a', false)).toBe('')
})

it('lets no text of a person be anything but text', () => {
  const text = cases([mark({ question: 'a"\n  - id: x\u2028', note: ['x', ...['\r', '\n', '\r\n', '\u0085', '\u2028', '\u2029'].map((end) => end + '  - id: y')].join(''), sentence: ': {' })], [], '"', false)
  expect(text.split(/[\r\n\u0085\u2028\u2029]/).filter((l) => /^ {2}- id:/.test(l))).toHaveLength(1)
  expect(text.split('\n').filter((l) => l === '  #   - id: y')).toHaveLength(6)
  expect(text).toContain(String.raw`question: "a\"\n  - id: x\u2028"`)
})
