import { describe, expect, it } from 'vitest'

import { plainly, bytes, cut, figures, placed, stands, unsteered, where } from '../src/lib/text'

const marked = (text: string, begins: number, ...spans: [number, number][]) =>
  cut(text, begins, spans.map(([start, end]) => ({ start, end }))).map((p) => (p.hit ? `‹${p.text}›` : p.text)).join('')

describe('a text is cut at spans', () => {
  it('which count code points of the document', () => {
    expect(marked('𠮷野家在上海', 10, [11, 13])).toBe('𠮷‹野家›在上海')
  })
  it('that overlap, touch its ends, or lie outside', () => {
    expect(marked('abcdef', 0, [0, 2], [1, 4])).toBe('‹ab›‹cd›ef')
    expect(marked('abc', 5, [0, 6], [7, 99], [20, 30])).toBe('‹a›b‹c›')
    expect(marked('abc', 0, [3, 3], [2, 1])).toBe('abc')
  })
  it('and none of it is lost', () => {
    expect(cut('a😀b', 0, [{ start: 1, end: 2 }]).map((p) => p.text).join('')).toBe('a😀b')
  })
})

it('a quote stands where it is, and nowhere else', () => {
  expect(stands('𠮷野家', 3, { start: 4, end: 6 }, '野家')).toBe(true)
  expect(stands('𠮷野家', 3, { start: 3, end: 5 }, '野家')).toBe(false)
})

describe('quotes are placed in the chunks of a document', () => {
  const chunk = (start: number, text: string) => ({ text, span: { start, end: start + Array.from(text).length } })
  const quote = (start: number, text: string) => chunk(start, text)
  const chunks = [chunk(0, '𠮷野家在'), chunk(4, '上海。'), chunk(9, '北京')]
  it('where they stand in all that they reach into', () => {
    const [a, b] = [quote(1, '野家'), quote(3, '在上海')]
    expect(placed(chunks, [a, b])).toEqual([a.span, b.span])
  })
  it('and not where one of these says something else', () => {
    expect(placed(chunks, [quote(3, '在北京')])).toEqual([])
    expect(placed(chunks, [quote(3, '去上海')])).toEqual([])
    expect(placed([...chunks, chunk(4, '苏州。')], [quote(4, '上海')])).toEqual([])
  })
  it('and not where there is no chunk', () => {
    expect(placed(chunks, [quote(20, '上海')])).toEqual([])
    expect(placed([], [quote(0, '')])).toEqual([])
  })
})

describe('numbers and codes of a sentence', () => {
  const told = (sentence: string, ...sources: string[]) => figures(sentence, sources).filter((f) => f.kind !== 'plain').map((f) => `${f.text}:${f.kind}`).join(' ')
  it('are found literally, in any width and with or without separators', () => {
    expect(told('每晚 650 元，共 8,000 元', '每晚６５０元，共 8000 元')).toBe('650:found 8,000:found')
    expect(told('Error ERR-1042 since v2.3.1', 'see err-1042 in v2.3.1')).toBe('ERR-1042:found v2.3.1:found')
  })
  it('are not found within longer ones', () => {
    expect(told('50 yuan', 'the limit is 650 yuan')).toBe('50:missing')
    expect(told('65 yuan', 'the limit is 650 yuan')).toBe('65:missing')
    expect(told('6 yuan', 'it is 6.5 yuan')).toBe('6:missing')
    expect(told('6 yuan', 'it is 6. Then')).toBe('6:found')
  })
  it('leave the sentence as it is', () => {
    expect(figures('从 1 到 2。', []).map((f) => f.text).join('')).toBe('从 1 到 2。')
  })
})

describe('a place is said in words', () => {
  const t = (key: string, p?: Record<string, string | number>) => `${key.slice(6)}(${Object.values(p ?? {}).join(',')})`
  for (const [said, locator] of [
    ['2.3 Scope › Limits', { kind: 'md', heading: ['Top', '2.3 Scope', 'Limits'] }],
    ['page(4) · printed(iv)', { kind: 'pdf', page: 4, page_label: 'iv' }],
    ['page(4) · printed(iv)', { kind: 'pdf', page: 4, page_end: 4, page_label: 'iv' }],
    ['page(4)', { kind: 'pdf', page: 4 }],
    ['pages(14,15)', { kind: 'pdf', page: 14, page_end: 15, page_label: '10' }],
    ['pages(4,5)', { kind: 'pdf', page: 4, page_end: 5 }],
    ['sheet(Prices,B7:D9)', { kind: 'xlsx', sheet: 'Prices', range: 'B7:D9' }],
    ['slide(3)', { kind: 'pptx', slide: 3 }],
    ['image()', { kind: 'image', boxes: [[1, 2, 3, 4]], image_size: [9, 9] }],
    ['Chapter 2 › Prices', { kind: 'epub', spine: 3, href: 'OPS/2.xhtml', heading: ['Part I', 'Chapter 2', 'Prices'] }],
    ['file(3)', { kind: 'epub', spine: 3, href: 'OPS/2.xhtml', heading: [] }],
    ['Part I · file(3–4)', { kind: 'epub', spine: 3, spine_end: 4, heading: ['Part I'] }],
    ['layer(PIPE-02,1F3A)', { kind: 'dxf', layer: 'PIPE-02', handle: '1F3A' }],
    ['layer.alone(PIPE-02)', { kind: 'dxf', layer: 'PIPE-02', region: [0, 0, 9, 9] }],
    ['rows(2,5)', { kind: 'csv', row: 2, row_end: 5 }],
    ['paragraph(7)', { kind: 'docx', paragraph: 7 }],
    ['header(Subject)', { kind: 'eml', heading: [], header: 'Subject' }],
    ['part(2.1) · line(3)', { kind: 'eml', heading: [], part: '2.1', content_type: 'text/plain', line: 3, char: [0, 4] }],
    ['attachment(a.txt) · lines(3,5)', { kind: 'eml', heading: [], part: '3', attachment: 'a.txt', line: 3, line_end: 5 }],
    ['paragraph(2)', { kind: 'docx', heading: [], paragraph: 2, header: 'Price' }],
    ['', { kind: 'unheard of', page: { not: 'a number' } }],
  ] as const) it(said || 'not at all where it is unknown', () => expect(where(locator as never, t as never)).toBe(said))
  it('or not at all', () => expect(where(undefined, t as never)).toBe(''))
})

it('sizes are short', () => expect([bytes(1), bytes(2048), bytes(5 << 20)]).toEqual(['1 B', '2.0 KB', '5.0 MB']))

it('a name is read in the order in which it is written', () => expect(unsteered('txt.\u202Egpj.exe\u2066\u200F 差旅')).toBe('txt.gpj.exe 差旅'))

describe('a passage told in a line', () => {
  const md = { kind: 'md' }
  it('has none of the marks of Markdown', () => {
    expect(plainly('## 2 Lodging\n\n**At most** 650.\n\n| City | Limit |\n|---|:--:|\n| Shanghai | 650 |', md)).toBe('2 Lodging\n\nAt most 650.\n\nCity · Limit\nShanghai · 650')
    expect(plainly('2 Lodging ### 2.1 Limits | City | |---|---| | Shanghai |', md)).toBe('2 Lodging · 2.1 Limits · City · Shanghai')
  })
  it('is what it was where it is of another kind', () => {
    expect(plainly('a | b ** c **', { kind: 'txt' })).toBe('a | b ** c **')
    expect(plainly('# a', undefined)).toBe('# a')
  })
})
