import { expect, it } from 'vitest'

import { en } from '../src/i18n/en'
import { zh } from '../src/i18n/zh'

const holes = (s: string) => [...s.matchAll(/\{\w+\}/g)].map((m) => m[0]).sort()

it('every word is in every language, with the same holes', () => {
  expect(Object.keys(zh).sort()).toEqual(Object.keys(en).sort())
  for (const [key, words] of Object.entries(en)) {
    expect(words.trim(), key).not.toBe('')
    expect(holes(zh[key as keyof typeof en]), key).toEqual(holes(words))
  }
})

// The notices of the server, by where they come from. Those that its code gives by name are looked up
// there, so that a new one is missed here.
const runs = [
  'addresses_withheld', 'as_of', 'extracted_by_rules', 'local_only', 'not_based_on_documents', 'not_reranked', 'output_filtered', 'output_truncated',
  'rules_fallback', 'scope_changed', 'source_truncated', 'sources_disagree', 'verifier_failed', 'words_only', 'erased',
]
const documents = [
  'archive', 'encoding_repaired', 'encrypted_content', 'hidden_left_out', 'no_text_layer', 'part_left_out', 'pdf_content_limit', 'pdf_page_failed', 'pdf_page_limit', 'sheet_cell_limit',
  'sheet_col_limit', 'sheet_row_limit', 'unchanged',
]

const sources = (files: Record<string, string>) => Object.entries(files).filter(([name]) => !name.endsWith('_test.go')).map(([, text]) => text)
const agent = sources(import.meta.glob<string>('../../internal/agent/*.go', { query: '?raw', import: 'default', eager: true }))
const parsers = sources(import.meta.glob<string>('../../internal/parse/**/*.go', { query: '?raw', import: 'default', eager: true }))

it('every notice that the server can give has words', () => {
  for (const code of [...runs, ...documents]) expect(Object.keys(en), code).toContain(`notice.${code}`)
  const given = agent.flatMap((s) => [...s.matchAll(/\.notice\("(\w+)"\)|conclude\(.*"(\w+)"\)/g)].map((m) => m[1] ?? m[2]!))
  expect(given).toContain('words_only')
  expect(given.filter((code) => !runs.includes(code))).toEqual([])
  const left = parsers.flatMap((s) => [...s.matchAll(/^\/\/ (?:Notices that|\w+ is the notice) .*\n(?:\/\/.*\n)*const (?:\(\n([\s\S]*?)^\)|(.*))/gm)].flatMap((m) => [...(m[1] ?? m[2]!).matchAll(/= "(\w+)"/g)].map((c) => c[1]!)))
  expect([...new Set(left)].sort()).toEqual(documents.filter((code) => code !== 'unchanged'))
})
