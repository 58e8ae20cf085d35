import { expect, it } from 'vitest'

import { filename, passes, Problem } from '../src/api/client'

it('a file has the name that the server gives it', () => {
  for (const [name, header] of [
    ['discount-100%.pdf', 'attachment; filename="discount-100%.pdf"'],
    ['discount-100%.pdf', 'attachment; filename=discount-100%.pdf'],
    ['discount-100%.pdf', "attachment; filename*=utf-8''discount-100%25.pdf"],
    ['100%25.pdf', 'attachment; filename=100%25.pdf'],
    ['差旅 制度.docx', "attachment; filename*=utf-8''%E5%B7%AE%E6%97%85%20%E5%88%B6%E5%BA%A6.docx"],
    ['差旅.md', "attachment; filename=\"x.md\"; filename*=UTF-8'zh'%E5%B7%AE%E6%97%85.md"],
    ['plain.md', "attachment; filename=plain.md; filename*=utf-8''%E5%B7"],
    ['a "b" \\ c; d.txt', 'attachment; filename="a \\"b\\" \\\\ c; d.txt"'],
    ['', 'attachment'],
    ['', "attachment; filename*=utf-8''100%"],
    ['', ''],
  ] as const) expect(filename(header), header).toBe(name)
})

it('what did not arrive, came too often or failed in the server may pass; what was refused does not', () => {
  for (const status of [0, 429, 500, 502, 503, 504]) expect(passes(new Problem(status, '', '')), String(status)).toBe(true)
  for (const status of [400, 401, 403, 404, 409, 422]) expect(passes(new Problem(status, '', '')), String(status)).toBe(false)
  expect(passes(new TypeError('a mistake of the page'))).toBe(false)
})
