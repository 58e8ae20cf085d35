import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it } from 'vitest'

import { Passage } from '../src/ask/told'
import { told } from '../src/lib/rows'

const md = { kind: 'md' }
const excerpt = '# Lodging\n\n| City | Limit |\n|---|:--:|\n| Beijing | 700 |\n| Shanghai | 650 |\n\nMore.'

describe('a quoted row of a table', () => {
  it('is shown below the cells that name its columns, where what was read has them', () => {
    expect(told('| Shanghai | 650 |', md, excerpt)).toEqual([{ head: ['City', 'Limit'], rows: [['Shanghai', '650']] }])
    expect(told(excerpt, md)).toEqual([
      { lines: 'Lodging' }, { head: ['City', 'Limit'], rows: [['Beijing', '700'], ['Shanghai', '650']] }, { lines: 'More.' },
    ])
    expect(told('| City | Limit |', md, excerpt)).toEqual([{ head: null, rows: [['City', 'Limit']] }])
  })
  it('has its cells told apart where nothing names the columns', () => {
    expect(told('| Shanghai | 650 |', md)).toEqual([{ head: null, rows: [['Shanghai', '650']] }])
    expect(told('| Shanghai | 650 | x |', md, excerpt)).toEqual([{ head: null, rows: [['Shanghai', '650', 'x']] }])
    expect(told('上海 | 650 元 | 每晚', { kind: 'docx', table: 1, row: 2 })).toEqual([{ head: null, rows: [['上海', '650 元', '每晚']] }])
    expect(told('上海 | 650 元\n北京 | 700 元', { kind: 'xlsx' })).toEqual([{ head: null, rows: [['上海', '650 元'], ['北京', '700 元']] }])
  })
  it('keeps a bar that belongs to a cell', () => {
    expect(told('| a \\| b | **c** |', md)).toEqual([{ head: null, rows: [['a | b', 'c']] }])
  })
  it('is not made of text with bars in it, nor of rows that stand on one line', () => {
    for (const l of [{ kind: 'txt' }, { kind: 'docx', paragraph: 3 }]) expect(told('a | b', l)).toEqual([{ lines: 'a | b' }])
    expect(told('a | b', undefined)).toEqual([{ lines: 'a | b' }])
    expect(told('| City | |---|---| | Shanghai |', md)).toEqual([{ lines: 'City · Shanghai' }])
  })
  it('stands in elements that may stand in a button, and its text is not read as markup', () => {
    const page = renderToStaticMarkup(createElement(Passage, { text: '| <b>x</b> | 650 |', locator: md, excerpt: '' }))
    expect(page).toContain('role="cell"')
    expect(page.replace(/<\/?span[^>]*>/g, '')).toBe('&lt;b&gt;x&lt;/b&gt;650')
  })
})
