import { expect, test } from 'vitest'

import { dropped, passedOver } from '../src/lib/dropped'

// A folder as a browser gives it: in parts of two, then nothing.
function folder(path: string, children: unknown[]) {
  const name = path.split('/').pop()
  return {
    isDirectory: true, name, fullPath: path,
    createReader: () => { const left = [...children]; return { readEntries: (done: (some: unknown[]) => void) => done(left.splice(0, 2)) } },
  }
}
const file = (path: string) => ({ isDirectory: false, name: path.split('/').pop(), fullPath: path, file: (done: (f: File) => void) => done(new File(['x'], path.split('/').pop()!)) })
const carry = (...entries: { isDirectory: boolean }[]) => ({ items: entries.map((e) => ({ kind: 'file', webkitGetAsEntry: () => e, getAsFile: () => new File(['x'], 'single.md') })) }) as unknown as DataTransfer

test('a folder is read to its end, with the paths of its files, and without what programs keep for themselves', async () => {
  const all = await dropped(carry(
    folder('/hr', [file('/hr/c.md'), file('/hr/a.md'), file('/hr/.DS_Store'), folder('/hr/.git', [file('/hr/.git/config')]), folder('/hr/old', [file('/hr/old/a.md')])]),
    file('/single.md'),
  ))
  expect(all.map((x) => x.name)).toEqual(['hr/a.md', 'hr/c.md', 'hr/old/a.md', 'single.md'])
})

test('what cannot be read of a folder is an error and not a shorter folder', async () => {
  const broken = { isDirectory: true, name: 'x', fullPath: '/x', createReader: () => ({ readEntries: (_: unknown, fail: (e: Error) => void) => fail(new Error('cut')) }) }
  await expect(dropped(carry(broken))).rejects.toThrow('cut')
})

test('a name with a dot in front is passed over wherever it stands in a path', () => {
  expect(['.env', 'a/.git/b', 'a/b.md', 'a.b/c'].map(passedOver)).toEqual([true, true, false, false])
})
