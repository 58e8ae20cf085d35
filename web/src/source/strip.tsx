import { useQuery } from '@tanstack/react-query'
import { GitCompareArrows } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'react-router'

import { at, get } from '../api/client'
import type { Document, Source } from '../api/types'
import { useBases } from '../ask/scope'
import { useWords } from '../i18n'
import { Button } from '../ui/basic'
import { Lines, Numbers } from './diff'

// usePublished is when the version of a source was published, where the person may learn it.
export function usePublished(source: Source): string | null | undefined {
  // Of a version that is no longer in force only those who edit may learn when it was published.
  const base = useBases().data?.items.find((b) => b.id === source.knowledge_base_id)
  const then = useQuery({
    queryKey: ['document', source.document_id], retry: false, enabled: source.current.status === 'published' || (!!base && base.role !== 'reader'),
    queryFn: ({ signal }) => get<Document>(at('documents', source.document_id), undefined, signal),
  })
  return then.data?.published_at
}

// Strip says which version an answer was made from and which one is in force, and what became of
// the passage.
export function Strip({ source, published: told }: { source: Source; published?: string | null }) {
  const { t, day } = useWords()
  const [open, setOpen] = useState(false)
  const c = source.current
  const published = usePublished(source) ?? told
  if (c.version === source.version) {
    return <p data-strip="same" className="num mb-2 text-xs text-ink-3">{t('strip.same', { v: source.version })}{published && ` · ${t('strip.published', { d: day(published) })}`}</p>
  }
  const from = published ? t('strip.fromdate', { v: source.version, d: day(published) }) : t('strip.from', { v: source.version })
  return (
    <div data-strip="other" tabIndex={open ? 0 : undefined} className="mb-2 max-h-[40dvh] overflow-y-auto rounded-md border border-line bg-warn-soft px-3 py-2 text-sm">
      <p className="num font-medium text-warn">{from}{c.version === null ? ` · ${t('strip.none')}` : ` · ${t('strip.now', { v: c.version })}`}</p>
      {c.change && <p className="mt-0.5 text-ink-2">{t(c.change === 'unchanged' ? 'strip.unchanged' : c.change === 'removed' ? 'strip.removed' : 'strip.changed')}</p>}
      {(c.lines.length > 0 || c.numbers.length > 0) && (
        <>
          <Button small look="ghost" icon={GitCompareArrows} className="mt-1" aria-expanded={open} onClick={() => setOpen(!open)}>{t('strip.difference')}</Button>
          {open && <div className="card mt-2 p-3" role="region" aria-label={t('strip.difference')}><Numbers numbers={c.numbers} /><Lines lines={c.lines} /></div>}
        </>
      )}
      {c.document_id && c.version !== null && <p className="mt-1"><Link className="text-accent underline underline-offset-2" to={`/documents/${encodeURIComponent(c.document_id)}`}>{t('strip.open', { v: c.version })}</Link></p>}
    </div>
  )
}
