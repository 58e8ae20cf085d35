import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState, type ReactNode } from 'react'

import { at, get, Problem, send } from '../api/client'
import { whole } from '../api/pages'
import type { Chunk, List, Locator, Quote, Source, Span } from '../api/types'
import { useWords } from '../i18n'
import { placed } from '../lib/text'
import { Loading, Trouble } from '../ui/basic'
import { Lines } from './lines'

export const useChunks = (id: string, enabled = true) => useQuery({
  queryKey: ['chunks', id], enabled,
  queryFn: ({ signal }) => whole((cursor) => get<List<Chunk>>(at('documents', id, 'chunks'), { limit: 5000, cursor }, signal)),
})

// Context is the document around what was read. It is marked only where the quote stands at its
// place; where it does not, or the version is no longer to be had, the stored excerpt is shown, and
// that it is.
export function Context({ source, quotes, fallback }: { source: Source; quotes: Quote[]; fallback: ReactNode }) {
  const { t } = useWords()
  const chunks = useChunks(source.document_id)
  const ref = useRef<HTMLDivElement>(null)
  const items = chunks.data?.items
  const marked = items ? placed(items, quotes.length ? quotes : [{ text: source.excerpt, span: source.span, locator: source.locator }]) : []
  useEffect(() => { ref.current?.querySelector('mark')?.scrollIntoView({ block: 'center' }) }, [items])
  if (chunks.isPending) return <Loading />
  if (chunks.isError && !(chunks.error instanceof Problem && chunks.error.status === 404)) return <Trouble error={chunks.error} retry={() => void chunks.refetch()} />
  if (!items || marked.length === 0) {
    return <><p role="status" className="mb-2 rounded-md bg-warn-soft px-3 py-2 text-sm text-warn">{t(items ? 'source.unplaced' : 'source.nodocument')}</p>{fallback}</>
  }
  return (
    <div ref={ref}>
      <Reading chunks={items} spans={marked} />
    </div>
  )
}

// Reading is a document's text in its chunks.
export function Reading({ chunks, spans }: { chunks: Chunk[]; spans: Span[] }) {
  let path = ''
  return (
    <div data-document className="space-y-1 text-sm leading-6">
      {chunks.map((c) => {
        const heading = c.heading_path.join(' › ')
        const fresh = heading !== path
        path = heading
        return (
          <section key={c.id} className="[contain-intrinsic-size:auto_160px] [content-visibility:auto]">
            {fresh && heading && <p className="mt-3 mb-0.5 text-xs text-ink-3">{heading}</p>}
            {c.context && <p className="text-ink-3 whitespace-pre-wrap">{c.context}</p>}
            <Lines text={c.text.replace(/\n+$/, '')} begins={c.span.start} spans={spans} />
          </section>
        )
      })}
    </div>
  )
}

// mostBoxes is how many places the server marks on one page.
const mostBoxes = 200

// PagePicture is a page, or a picture, as the server draws it, with the boxes of the place. Where the server has no
// picture, nothing is shown in its stead: the text below says the same.
export function PagePicture({ id, locator, page, alt }: { id: string; locator?: Locator; page: number; alt: string }) {
  const [data, setData] = useState<string | null>(null)
  const boxes = Array.isArray(locator?.boxes) ? JSON.stringify((locator.boxes as number[][]).slice(0, mostBoxes)) : ''
  useEffect(() => {
    const gone = new AbortController()
    void (async () => {
      try {
        const res = await send(at('documents', id, 'pages', `${page}.png`), { query: { boxes }, headers: { Accept: 'image/png' }, signal: gone.signal })
        const reader = new FileReader()
        reader.onload = () => setData(String(reader.result))
        reader.readAsDataURL(await res.blob())
      } catch {
        setData(null)
      }
    })()
    return () => gone.abort()
  }, [id, page, boxes])
  if (!data) return null
  return <img src={data} alt={alt} data-page={page} className="mb-3 w-full rounded-md border border-line bg-[#fff]" />
}
