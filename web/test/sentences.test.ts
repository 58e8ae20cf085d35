import { describe, expect, it } from 'vitest'

import type { Check } from '../src/api/types'
import { blocks, Reader } from '../src/lib/sentences'

const check = (sentence: string, verdict: Check['verdict'] = 'supported'): Check => ({ sentence, labels: ['S1'], verdict, decided_by: 'rule:literal', quote: '', score: 1, reasons: [] })

// shown writes parts so that a person can compare them: [check|text], and text without a check.
const shown = (r: Reader, text: string) => r.read(text).map((p) => {
  const t = p.tokens.map((x) => (x.kind === 'mark' ? `‹${x.label}›` : x.text)).join('')
  return p.check === null ? t : `[${p.check}|${t}]`
}).join('')

describe('a sentence gets its check', () => {
  it('with its marks and stops', () => {
    const r = new Reader([check('上海的住宿上限为每晚 650 元。'), check('The limit is 650 yuan.')])
    expect(shown(r, '上海的住宿上限为每晚 650 元。[S1] The limit is 650 yuan.[S1][S2] And more.')).toBe('[0|上海的住宿上限为每晚 650 元。‹S1›] [1|The limit is 650 yuan.‹S1›‹S2›] And more.')
  })
  it('whatever marks of Markdown stand in it', () => {
    const r = new Reader([check('The limit is 650 yuan a night.')])
    expect(shown(r, '**The limit** is `650` yuan [S1] a night.')).toBe('[0|**The limit** is `650` yuan ‹S1› a night.]')
  })
  it('the second time its second check, and after that one that it had', () => {
    const r = new Reader([check('Same.'), check('Same.', 'partly')])
    expect(shown(r, 'Same.[S1]')).toBe('[0|Same.‹S1›]')
    expect(shown(r, 'Same.[S1]')).toBe('[1|Same.‹S1›]')
    expect(shown(r, 'Same.[S1] Same.')).toBe('[0|Same.‹S1›] [0|Same.]')
  })
  it('and what is not found is told apart', () => {
    const r = new Reader([check('Here it is.'), check('Nowhere to be seen.')])
    expect(shown(r, 'Here it is.')).toBe('[0|Here it is.]')
    expect(r.rest()).toEqual([1])
  })
  it('also beyond the first plane of Unicode', () => {
    const r = new Reader([check('𠮷野家在上海。')])
    expect(shown(r, '😀𠮷野家在上海。[S1]')).toBe('😀[0|𠮷野家在上海。‹S1›]')
  })
  it('and no text is lost', () => {
    const text = 'A [S1] b. C [C2] d! 引文 [S9]？ [x](javascript:alert(1)) <b>'
    const r = new Reader([check('b. C'), check('引文')])
    const plain = r.read(text).flatMap((p) => p.tokens).map((x) => (x.kind === 'mark' ? `[${x.label}]` : x.text)).join('')
    expect(plain).toBe(text)
  })
})

describe('an answer is parted into blocks', () => {
  it('of the few kinds that are known', () => {
    expect(blocks('# Head\n\nOne\ntwo\n- a\n2) b\n```\nx = 1\n```\nend')).toEqual([
      { kind: 'h', text: 'Head' }, { kind: 'p', text: 'One\ntwo' }, { kind: 'li', text: 'a' }, { kind: 'li', text: 'b' }, { kind: 'code', text: 'x = 1' }, { kind: 'p', text: 'end' },
    ])
  })
  it('and what has no end is shown all the same', () => {
    expect(blocks('```\nnever closed')).toEqual([{ kind: 'code', text: 'never closed' }])
  })
})

describe('signs alone are no sentence', () => {
  it('and stand with the one that they end', () => {
    const r = new Reader([check('CANARY-7f3a91'), check('校验行，用于确认：')])
    expect(shown(r, '校验行，用于确认：[S1]\nCANARY-7f3a91[S1]')).toBe('[1|校验行，用于确认：‹S1›]\n[0|CANARY-7f3a91‹S1›]')
    expect(shown(new Reader([check('One')]), '**One** — ：[S1]')).toBe('[0|**One** — ：‹S1›]')
  })
  it('also where they are those of markup', () => {
    const r = new Reader([check('<script>alert(1)</script>'), check('It is shown as <b>.')])
    expect(shown(r, '<script>alert(1)</script>[S1] It is shown as <b>.[S1]')).toBe('[0|<script>alert(1)</script>‹S1›] [1|It is shown as <b>.‹S1›]')
  })
  it('and what opens the next sentence stands with that', () => {
    const two = () => new Reader([check('第一句。'), check('第二句。')])
    expect(shown(two(), '第一句。“第二句。”')).toBe('[0|第一句。][1|“第二句。”]')
    expect(shown(two(), '第一句。**第二句。**')).toBe('[0|第一句。][1|**第二句。**]')
    expect(shown(two(), '**第一句。**第二句。')).toBe('[0|**第一句。**][1|第二句。]')
    expect(shown(two(), '第一句。[S1]（第二句。）[S2]')).toBe('[0|第一句。‹S1›][1|（第二句。）‹S2›]')
    expect(shown(two(), '第一句。[S1] - 第二句。')).toBe('[0|第一句。‹S1›] - [1|第二句。]')
  })
})
