import { describe, expect, it } from 'vitest'

import { collect, fields } from '../src/lib/form'

const schema = {
  type: 'object', required: ['title', 'size', 'urgent', 'kind'],
  properties: {
    title: { type: 'string', minLength: 1, maxLength: 200, description: 'What is to be done.' },
    note: { type: 'string', maxLength: 5000 },
    size: { type: 'integer', minimum: 1, maximum: 9 },
    share: { type: ['number', 'null'], default: 0.5 },
    urgent: { type: 'boolean' },
    kind: { enum: ['a', 2, true, null], default: 2 },
    fixed: { const: 7 },
    list: { type: 'array', items: { type: 'string' } },
    either: { type: ['string', 'integer'] },
  },
}
const written = { title: ' A 任务 ', size: '3', urgent: 'false', kind: '3' }

describe('a form of a schema', () => {
  it('has a field for each property, in their order, by its kind', () => {
    expect(fields(schema).map((f) => [f.name, f.kind, f.required])).toEqual([
      ['title', 'text', true], ['note', 'long', false], ['size', 'integer', true], ['share', 'number', false], ['urgent', 'boolean', true],
      ['kind', 'choice', true], ['fixed', 'choice', false], ['list', 'json', false], ['either', 'json', false],
    ])
  })
  it('keeps descriptions, bounds, choices and presets', () => {
    const [title, , size, share, , kind] = fields(schema)
    expect([title!.description, title!.shortest, title!.longest]).toEqual(['What is to be done.', 1, 200])
    expect([size!.min, size!.max, share!.preset, kind!.preset]).toEqual([1, 9, '0.5', '1'])
    expect(kind!.choices).toEqual(['a', 2, true, null])
  })
  it('is empty where the schema says nothing of an object', () => {
    for (const s of [undefined, null, true, 'x', [], {}, { properties: [] }, { properties: null }]) expect(fields(s)).toEqual([])
    expect(fields({ properties: { x: true }, required: 'x' })).toMatchObject([{ name: 'x', kind: 'json', required: false }])
  })
})

describe('what was written into a form', () => {
  it('becomes arguments of the types of the schema', () => {
    const { args, faults } = collect(fields(schema), { ...written, share: '0.25', fixed: '0', list: '["x"]', either: '5' })
    expect(faults).toEqual([])
    expect(args).toEqual({ title: ' A 任务 ', size: 3, share: 0.25, urgent: false, kind: null, fixed: 7, list: ['x'], either: 5 })
  })
  it('leaves out what is empty, and says what is missing', () => {
    expect(collect(fields(schema), written)).toEqual({ args: { title: ' A 任务 ', size: 3, urgent: false, kind: null }, faults: [] })
    expect(collect(fields(schema), { ...written, title: '', size: ' ' }).faults).toEqual([{ name: 'title', what: 'missing' }, { name: 'size', what: 'missing' }])
  })
  it('is refused where it is no number and no JSON', () => {
    for (const size of ['three', '1.5', '1e400', '9007199254740993']) expect(collect(fields(schema), { ...written, size }).faults).toEqual([{ name: 'size', what: 'number' }])
    for (const list of ['[', 'x', '{"a":}']) expect(collect(fields(schema), { ...written, list }).faults).toEqual([{ name: 'list', what: 'json' }])
  })
})
