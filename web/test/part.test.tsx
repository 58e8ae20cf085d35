import { createElement, type ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'

import { Language, type Spoken } from '../src/i18n'
import { en } from '../src/i18n/en'
import { zh } from '../src/i18n/zh'
import { Boundary, Unspoken } from '../src/ui/part'

const sources = import.meta.glob<string>('../src/**/*.tsx', { query: '?raw', import: 'default', eager: true })

const shown = (begins: Spoken, node: ReactNode) => renderToStaticMarkup(createElement(Language, { begins, children: node }))

it('a boundary shows what it holds, and once that failed, what happened and the way on', () => {
  const b = new Boundary({ children: 'what it holds' })
  expect(b.render()).toBe('what it holds')
  b.state = Boundary.getDerivedStateFromError()
  for (const begins of [{ lang: 'en', words: en }, { lang: 'zh', words: zh }] as Spoken[]) {
    const page = shown(begins, b.render())
    expect(page).toContain('role="alert"')
    expect(page).toContain(begins.words['error.part_failed'])
    expect(page).toContain(`>${begins.words.reload}</button>`)
    expect(page).not.toContain('what it holds')
  }
})

it('a page without its words says so in every language', () => {
  const page = renderToStaticMarkup(createElement(Unspoken))
  for (const words of ['could not be loaded', 'Load again', '页面无法加载', '重新加载']) expect(page).toContain(words)
})

it('every part that is loaded when it is needed stands in a boundary', () => {
  const parts = Object.entries(sources).filter(([, text]) => /= lazy\(/.test(text))
  expect(parts.length).toBeGreaterThan(2)
  // Waiting for a part without a boundary around it would let its failure take the page along.
  for (const [name, text] of Object.entries(sources)) if (!name.endsWith('/ui/part.tsx')) expect(text, name).not.toContain('<Suspense')
  expect(sources['../src/main.tsx']).toContain('<Boundary><App />')
})
