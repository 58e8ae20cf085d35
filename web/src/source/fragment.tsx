import { useQuery } from '@tanstack/react-query'
import { createElement, useEffect, useMemo, useRef, useState, type ReactNode } from 'react'

import { at, Problem, send } from '../api/client'
import type { Quote, Span } from '../api/types'
import { useWords } from '../i18n'
import { cut } from '../lib/text'
import { Button, Loading, Trouble } from '../ui/basic'

interface Page { root: Element; previous: string; next: string; before: string; after: string }

// useRendered asks for a text as the server renders it. It is parsed in a document of its own, in which
// nothing runs and nothing loads, and is made anew from it below.
function useRendered(path: string) {
  return useQuery({
    queryKey: ['preview', path], staleTime: 60_000,
    queryFn: async ({ signal }): Promise<Page> => {
      const res = await send(path, { headers: { Accept: 'text/html' }, signal })
      const link = (rel: string) => new RegExp(`<[^>?]*\\?([^>]*)>; rel="${rel}"`).exec(res.headers.get('Link') ?? '')?.[1] ?? ''
      return { root: new DOMParser().parseFromString(await res.text(), 'text/html').body, previous: link('prev'), next: link('next'), before: link('prev-chapter'), after: link('next-chapter') }
    },
  })
}

// Passage is what was read as it reads in its document, with what is cited of it marked. Where the server
// does not render it, what it was given for that is shown.
export function Passage({ run, label, spans, absent }: { run: string; label: string; spans: Span[]; absent: ReactNode }) {
  const { t } = useWords()
  const page = useRendered(at('runs', run, 'sources', label, 'preview'))
  const ref = useRef<HTMLDivElement>(null)
  useEffect(() => { ref.current?.querySelector('mark')?.scrollIntoView({ block: 'center' }) }, [page.data])
  if (page.isPending) return <Loading />
  if (page.isError) return absent
  return <div ref={ref} className="doc-shown doc-passage text-sm leading-6" role="region" aria-label={t('source.excerpt')} tabIndex={0}>{build(page.data.root, spans)}</div>
}

const elements = new Set('div section h1 h2 h3 h4 h5 h6 p br blockquote pre code em strong del ul ol li table thead tbody tr th td span'.split(' '))

const number = (e: Element, name: string) => (e.hasAttribute(name) ? Number(e.getAttribute(name)) : null)

// letters are the characters of a fragment by their places in the document.
export function letters(root: Element): Map<number, string> {
  const out = new Map<number, string>()
  const walk = (node: Node, from: number): number => {
    let place = from
    for (const child of node.childNodes) {
      if (child.nodeType === Node.TEXT_NODE) for (const c of child.textContent ?? '') out.set(place++, c)
      else if (child instanceof Element) place = walk(child, number(child, 'data-start') ?? place)
    }
    return place
  }
  walk(root, 0)
  return out
}

// standing are the spans of the quotes that stand at their places, letter by letter.
function standing(chars: Map<number, string>, quotes: Quote[]): Span[] {
  return quotes.filter((q) => {
    let place = q.span.start
    for (const c of q.text) if (chars.get(place++) !== c) return false
    return place === q.span.end
  }).map((q) => q.span)
}

// build makes the elements that a fragment may have, and text. Whatever else stood there is only the
// text in it: no attribute is taken over but classes of its own and the sizes of cells.
function build(root: Element, spans: Span[]): ReactNode[] {
  let place = 0
  const walk = (node: Node): ReactNode[] => Array.from(node.childNodes, (child, i) => {
    if (child.nodeType === Node.TEXT_NODE) {
      const text = child.textContent ?? ''
      const pieces = cut(text, place, spans)
      place += Array.from(text).length
      return pieces.map((p, k) => (p.hit ? <mark key={`${i}.${k}`} className="hit">{p.text}</mark> : p.text))
    }
    if (!(child instanceof Element)) return null
    place = number(child, 'data-start') ?? place
    const tag = child.tagName.toLowerCase()
    if (!elements.has(tag)) return <span key={i}>{walk(child)}</span>
    if (tag === 'br') return <br key={i} />
    const props: Record<string, unknown> = { key: i, className: child.className.split(' ').filter((c) => /^doc(-[a-z0-9_]+)?$/.test(c)).join(' ') || undefined }
    if (tag === 'td' || tag === 'th') { props.colSpan = number(child, 'colspan') ?? undefined; props.rowSpan = number(child, 'rowspan') ?? undefined }
    if (tag === 'ol') props.start = number(child, 'start') ?? undefined
    return createElement(tag, props, ...walk(child))
  })
  return walk(root)
}

// Fragment shows a document around what is quoted of it. Without any quote at its place it says so and
// shows what it was given for that; where the version is not open, or the server shows none, it leaves
// it to the other. One that is calm leaves what is seen to what stands above it.
export function Fragment({ id, quotes, unplaced, absent, calm }: { id: string; quotes?: Quote[]; unplaced?: ReactNode; absent: ReactNode; calm?: boolean }) {
  const { t } = useWords()
  const first = quotes?.length ? Math.min(...quotes.map((q) => q.span.start)) : 0
  const [query, setQuery] = useState(first > 2000 ? `from=${first - 2000}` : '')
  const page = useRendered(at('documents', id, 'preview') + (query ? `?${query}` : ''))
  const ref = useRef<HTMLDivElement>(null)
  const spans = useMemo(() => (page.data && quotes ? standing(letters(page.data.root), quotes) : []), [page.data, quotes])
  useEffect(() => { if (!calm) ref.current?.querySelector('mark')?.scrollIntoView({ block: 'center' }) }, [page.data, spans, calm])
  if (page.isPending) return <Loading />
  if (page.isError) return page.error instanceof Problem && page.error.status >= 400 && page.error.status < 500 ? absent : <Trouble error={page.error} retry={() => void page.refetch()} />
  const moved = query !== '' && query !== `from=${first - 2000}`
  if (quotes?.length && spans.length === 0 && !moved) {
    return <><p role="status" className="mb-2 rounded-md bg-warn-soft px-3 py-2 text-sm text-warn">{t('source.unplaced')}</p>{unplaced}</>
  }
  return (
    <div ref={ref} data-document>
      {(page.data.before || page.data.after) && (
        <nav className="mb-3 flex justify-between gap-2" aria-label={t('doc.chapters')}>
          <Button small disabled={!page.data.before} onClick={() => setQuery(page.data.before)}>{t('doc.chapterbefore')}</Button>
          <Button small disabled={!page.data.after} onClick={() => setQuery(page.data.after)}>{t('doc.chapterafter')}</Button>
        </nav>
      )}
      {page.data.previous && <Button small className="mb-3" onClick={() => setQuery(page.data.previous)}>{t('doc.earlier')}</Button>}
      <div className="doc-shown text-sm leading-6" role="region" aria-label={t('source.document')} tabIndex={0}>{build(page.data.root, spans)}</div>
      {page.data.next && <Button small className="mt-3" onClick={() => setQuery(page.data.next)}>{t('doc.later')}</Button>}
    </div>
  )
}
