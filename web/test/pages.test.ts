import { describe, expect, it } from 'vitest'

import { whole } from '../src/api/pages'

// The server here gives a list in pages of three, and notes the cursors that it was asked with.
function server(length: number) {
  const asked: (string | undefined)[] = []
  const page = async (cursor: string | undefined) => {
    asked.push(cursor)
    const from = cursor === undefined ? 0 : Number(cursor.slice(1))
    const to = Math.min(from + 3, length)
    return { items: Array.from({ length: to - from }, (_, i) => from + i), next_cursor: to < length ? `c${to}` : null }
  }
  return { asked, page }
}

describe('the whole of a list', () => {
  for (const length of [0, 1, 3, 4, 7]) {
    it(`of ${length} has every item once, in its order`, async () => {
      const { page } = server(length)
      expect(await whole(page)).toEqual({ items: Array.from({ length }, (_, i) => i), next_cursor: null })
    })
  }
  it('is asked for page by page, the first without a cursor', async () => {
    const { asked, page } = server(7)
    await whole(page)
    expect(asked).toEqual([undefined, 'c3', 'c6'])
  })
  it('goes on after a page that is empty while more follow', async () => {
    const pages = [{ items: [1], next_cursor: 'a' }, { items: [], next_cursor: 'b' }, { items: [2], next_cursor: null }]
    expect((await whole(async () => pages.shift()!)).items).toEqual([1, 2])
  })
  it('is not had where a page of it fails', async () => {
    const { page } = server(7)
    await expect(whole(async (c) => (c === 'c6' ? Promise.reject(new Error('unreachable')) : page(c)))).rejects.toThrow('unreachable')
  })
})
