import { expect, it } from 'vitest'

import { en } from '../src/i18n/en'
import { zh } from '../src/i18n/zh'
import { findings } from '../src/screens/findings'

const holes = (s: string) => [...s.matchAll(/\{\w+\}/g)].map((m) => m[0]).sort()

it('every word is in every language, with the same holes', () => {
  expect(Object.keys(zh).sort()).toEqual(Object.keys(en).sort())
  for (const [key, words] of Object.entries(en)) {
    expect(words.trim(), key).not.toBe('')
    expect(holes(zh[key as keyof typeof en]), key).toEqual(holes(words))
  }
})

// The notices of documents, as the readers of files list them.
const documents = [
  'archive', 'encoding_repaired', 'encrypted_content', 'further_pictures', 'hidden_left_out', 'no_text_layer', 'ocr_page_failed', 'ocr_text', 'ocr_uncertain', 'part_left_out', 'pdf_content_limit', 'pdf_page_failed', 'pdf_page_limit', 'sheet_cell_limit',
  'sheet_col_limit', 'sheet_row_limit', 'unchanged',
]

const sources = (files: Record<string, string>) => Object.entries(files).filter(([name]) => !name.endsWith('_test.go')).map(([, text]) => text)
const named = (files: Record<string, string>, pattern: RegExp) => sources(files).flatMap((s) => [...s.matchAll(pattern)].map((m) => m[1] ?? m[2]!))
const runs = import.meta.glob<string>(['../../internal/run/notice.go', '../../internal/citation/citation.go'], { query: '?raw', import: 'default', eager: true })
const agent = import.meta.glob<string>('../../internal/agent/*.go', { query: '?raw', import: 'default', eager: true })
const parsers = sources(import.meta.glob<string>('../../internal/parse/**/*.go', { query: '?raw', import: 'default', eager: true }))

it('every notice that the server can give has words', () => {
  const given = [...named(runs, /^\t(?!return)\w+ += "(\w+)"/gm), ...named(runs, /const SourcesDisagree = "(\w+)"/g)]
  expect(given).toContain('words_only')
  expect(given).toContain('erased')
  expect(given).toContain('sources_disagree')
  for (const code of [...given, ...documents]) expect(Object.keys(en), code).toContain(`notice.${code}`)
  // The list is the only one: no notice is written where it is given.
  expect(named(agent, /notice\("(\w+)"\)|conclude\([^)]*"(\w+)"/g)).toEqual([])
  const left = parsers.flatMap((s) => [...s.matchAll(/^\/\/ (?:Notices that|\w+ is the notice) .*\n(?:\/\/.*\n)*const (?:\(\n([\s\S]*?)^\)|(.*))/gm)].flatMap((m) => [...(m[1] ?? m[2]!).matchAll(/= "(\w+)"/g)].map((c) => c[1]!)))
  expect([...new Set(left)].sort()).toEqual(documents.filter((code) => code !== 'unchanged'))
})

const ledger = import.meta.glob<string>('../../internal/ledger/ledger.go', { query: '?raw', import: 'default', eager: true })
const grounds = import.meta.glob<string>('../../internal/access/grounds.go', { query: '?raw', import: 'default', eager: true })

const held = import.meta.glob<string>('../../internal/run/hold.go', { query: '?raw', import: 'default', eager: true })

it('every kind of entry, every obstacle, every ruling and whatever the ledger cannot tell has words', () => {
  const words = Object.keys(en)
  const kinds = named(ledger, /Kind = "([\w.]+)"/g)
  const obstacles = named(grounds, /Obstacle = "(\w+)"/g)
  const rulings = named(grounds, /Ruling = "(\w+)"/g)
  const unproved = named(held, /^\t(?:NotEnded|Withheld|OlderForm) += "(\w+)"/gm)
  expect(unproved).toHaveLength(3)
  expect(kinds).toContain('rights.viewed')
  expect(obstacles).toContain('not_active')
  expect(rulings).toContain('not_listed')
  for (const w of [...kinds.map((k) => `entry.${k}`), ...obstacles.map((o) => `obstacle.${o}`), ...rulings.map((r) => `ruling.${r}`), ...unproved.map((u) => `unproved.${u}`)]) expect(words, w).toContain(w)
})

const reports = import.meta.glob<string>('../../internal/eval/report/words.go', { query: '?raw', import: 'default', eager: true })

it('every kind of finding of an evaluation has words in every language', () => {
  const codes = named(reports, /"([a-z_]+)": +"[^"]*[一-龥]/g)
  expect(codes).toContain('forbidden_text')
  expect(codes.length).toBeGreaterThan(40)
  for (const lang of ['en', 'zh'] as const) expect(Object.keys(findings[lang]).sort(), lang).toEqual([...codes].sort())
})
