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
