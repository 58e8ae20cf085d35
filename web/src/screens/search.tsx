import { useQuery } from '@tanstack/react-query'
import { Search } from 'lucide-react'
import { useState } from 'react'
import { Link, useLocation, useNavigate } from 'react-router'

import { at, post } from '../api/client'
import { recorded } from '../api/pages'
import type { Hit, SearchResult } from '../api/types'
import { useBases } from '../ask/scope'
import { useWords } from '../i18n'
import { plainly, where } from '../lib/text'
import { Badge, Button, Empty, Loading, Page, Trouble, cx } from '../ui/basic'
import { useViewAs, ViewAsBar } from './viewas'

// What was searched stands behind "#" in the address: a reload keeps it, and no log of a server has it.
interface Asked { query: string; base: string }

function asked(hash: string): Asked {
  const f = new URLSearchParams(hash.slice(1))
  return { query: f.get('q') ?? '', base: f.get('kb') ?? '' }
}

export default function Bench() {
  const { t } = useWords()
  const bases = useBases()
  const view = useViewAs()
  const navigate = useNavigate()
  const place = useLocation()
  const now = asked(place.hash)
  const [query, setQuery] = useState(now.query)
  const [base, setBase] = useState(now.base)
  // The same words may be searched again: each time is another one.
  const [time, setTime] = useState(0)
  const go = () => {
    setTime(time + 1)
    void navigate({ search: place.search, hash: new URLSearchParams({ q: query.trim(), ...(base ? { kb: base } : {}) }).toString() })
  }
  return (
    <Page wide title={t('nav.search')} lead={t('search.lead')}>
      <ViewAsBar view={view} />
      <form className="mb-4 flex flex-wrap gap-2" role="search" onSubmit={(e) => { e.preventDefault(); if (query.trim()) go() }}>
        <input className="field min-w-[200px] flex-1" type="search" value={query} onChange={(e) => setQuery(e.target.value)} aria-label={t('search.query')} placeholder={t('search.query')} autoFocus />
        <select className="field w-auto max-w-full" aria-label={t('bases.title')} value={base} onChange={(e) => setBase(e.target.value)}>
          <option value="">{t('search.allbases')}</option>{bases.data?.items.map((b) => <option key={b.id} value={b.id}>{b.name}</option>)}
        </select>
        <Button type="submit" look="primary" icon={Search} disabled={!query.trim()}>{t('search.go')}</Button>
      </form>
      {!now.query ? <Empty icon={Search} title={t('search.empty')}>{t('search.emptytext')}</Empty> : (
        <div className={cx(view.as && 'grid gap-6 lg:grid-cols-2')}>
          <Found key={`${time} ${now.query} ${now.base}`} {...now} time={time} as="" heading={view.as ? t('search.own') : ''} />
          {view.as && <Found key={`${time} ${now.query} ${now.base} ${view.as}`} {...now} time={time} as={view.as} heading={t('search.both', { name: view.as })} />}
        </div>
      )}
    </Page>
  )
}

// Found is what one search gave, page by page.
function Found({ query, base, time, as, heading }: Asked & { time: number; as: string; heading: string }) {
  const { t, word } = useWords()
  const [cursor, setCursor] = useState('')
  const find = useQuery({
    queryKey: ['search', time, query, base, as, cursor], ...recorded,
    queryFn: () => post<SearchResult>(at('search'), { query, limit: 20, ...(base ? { knowledge_base_ids: [base] } : {}), ...(cursor ? { cursor } : {}), ...(as ? { view_as: as } : {}) }),
  })
  const r = find.data
  return (
    <section data-found={as || 'own'} aria-label={heading || t('nav.search')} className="min-w-0">
      {heading && <h2 className="mb-1 font-semibold">{heading}</h2>}
      {find.isPending && <Loading />}
      {find.isError && <Trouble error={find.error} retry={() => void find.refetch()} />}
      {r && (
        <>
          <p className="num mb-3 flex flex-wrap items-center gap-2 text-xs text-ink-2" data-took>
            <span>{t('search.took', { ms: r.took_ms.toFixed(1), n: r.items.length })}</span>
            {r.legs.map((l) => <Badge key={l} tone="good">{word('leg', l)}</Badge>)}
            {r.skipped.map((s) => <Badge key={s.leg}>{word('leg', s.leg)}: {word('skipped', s.reason)}</Badge>)}
          </p>
          {r.items.length === 0 ? <Empty title={t('search.nothing')}>{t('search.nothingtext')}</Empty> : <ol className="card divide-y divide-line">{r.items.map((h, i) => <Row key={h.chunk_id} n={i + 1} hit={h} />)}</ol>}
          {r.next_cursor && <Button className="mt-3" onClick={() => setCursor(r.next_cursor!)}>{t('search.next')}</Button>}
        </>
      )}
    </section>
  )
}

function Rank({ name, value }: { name: string; value: number | null }) {
  return <span className={cx('num inline-flex flex-col items-center rounded-md border border-line px-1.5 text-xs leading-4', value === null ? 'text-ink-3' : 'text-ink')}><span className="text-[11px] text-ink-3">{name}</span>{value ?? '–'}</span>
}

function Row({ n, hit: h }: { n: number; hit: Hit }) {
  const { t } = useWords()
  return (
    <li className="relative flex flex-wrap [overflow-wrap:anywhere] gap-x-3 gap-y-2 px-3 py-3 sm:flex-nowrap">
      <span className="num w-6 shrink-0 pt-0.5 text-right text-sm text-ink-3">{n}</span>
      <div className="min-w-0 flex-[1_1_calc(100%-3rem)] sm:flex-1">
        <p className="flex flex-wrap items-baseline gap-x-2"><Link to={`/documents/${encodeURIComponent(h.document_id)}`} className="min-w-0 font-medium [overflow-wrap:anywhere] hover:text-accent max-sm:after:absolute max-sm:after:inset-0">{h.title}</Link><span className="num text-xs text-ink-3">v{h.version} · {where(h.locator, t)}</span></p>
        <p className="mt-1 line-clamp-3 text-sm whitespace-pre-line text-ink-2">{plainly(h.snippet, h.locator)}</p>
        <p className="mt-1.5 flex flex-wrap items-center gap-1.5">{h.matched.length > 0 && <span className="text-xs text-ink-3">{t('search.matched')}</span>}{h.matched.map((m) => <span key={m} className="rounded-sm bg-mute-soft px-1.5 font-mono text-xs text-mute">{m}</span>)}</p>
      </div>
      <div className="flex shrink-0 items-start gap-1 max-sm:pl-9"><Rank name={t('search.keyword')} value={h.ranks.keyword} /><Rank name={t('search.semantic')} value={h.ranks.semantic} /><Rank name={t('search.rerank')} value={h.ranks.rerank} /></div>
    </li>
  )
}
