import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useVirtualizer } from '@tanstack/react-virtual'
import { Eye, FilePlus2, FolderPlus, FolderUp, KeyRound, Upload as UploadIcon } from 'lucide-react'
import { useEffect, useMemo, useRef, useState, type ChangeEvent, type DragEvent } from 'react'
import { Link, useNavigate, useSearchParams } from 'react-router'

import { at } from '../api/client'
import { useErrand } from '../api/errand'
import { recorded, usePages } from '../api/pages'
import type { Document, KnowledgeBase } from '../api/types'
import { useBases } from '../ask/scope'
import { useWords } from '../i18n'
import { chosen, dropped, type Named } from '../lib/dropped'
import { bytes } from '../lib/text'
import { kept, useViewAs, ViewAsBar } from '../screens/viewas'
import { Button, Empty, Field, Loading, Page, Status, Trouble, cx } from '../ui/basic'
import { Dialog } from '../ui/dialog'
import { Grants } from './grants'
import { Sent } from './upload'
import { useUploads } from './uploading'

export default function Documents() {
  const { t } = useWords()
  const [query, setQuery] = useSearchParams()
  const view = useViewAs()
  const bases = useBases(view.as)
  const [making, setMaking] = useState(query.has('new'))
  const [rights, setRights] = useState(false)
  const all = bases.data?.items ?? []
  const base = all.find((b) => b.id === query.get('kb')) ?? all[0]
  const { uploading } = useUploads()
  const [over, setOver] = useState(false)
  const file = useRef<HTMLInputElement>(null)
  const folder = useRef<HTMLInputElement>(null)
  const [unread, setUnread] = useState<unknown>(null)
  // Nothing is changed while looking as somebody else: it would be done in one's own name.
  const writes = base && base.role !== 'reader' && !view.as
  const take = (files: Named[]) => { if (base) uploading.add(base, files) }
  const drop = (e: DragEvent) => { e.preventDefault(); setOver(false); if (writes) dropped(e.dataTransfer).then(take, setUnread) }
  const choose = (e: ChangeEvent<HTMLInputElement>) => { take(chosen(e.target.files)); e.target.value = '' }
  return (
    <div className="flex min-w-0 flex-1" onDragOver={(e) => { e.preventDefault(); if (writes) setOver(true) }} onDragLeave={(e) => { if (e.currentTarget === e.target) setOver(false) }} onDrop={drop}>
      <Page
        wide title={t('docs.title')} lead={t('docs.lead')}
        actions={(
          <>
            {!view.as && <Button icon={FolderPlus} onClick={() => setMaking(true)}>{t('docs.newbase')}</Button>}
            {base?.role === 'manager' && !view.as && <Button icon={KeyRound} onClick={() => setRights(true)}>{t('docs.rights')}</Button>}
            {writes && <Button icon={FolderUp} onClick={() => folder.current?.click()}>{t('docs.folder')}</Button>}
            {writes && <Button look="primary" icon={UploadIcon} onClick={() => file.current?.click()}>{t('docs.upload')}</Button>}
            <input ref={file} type="file" multiple className="hidden" tabIndex={-1} aria-label={t('docs.upload')} onChange={choose} />
            <input ref={folder} type="file" multiple webkitdirectory="" className="hidden" tabIndex={-1} aria-label={t('docs.folder')} onChange={choose} />
          </>
        )}
      >
        <ViewAsBar view={view} />
        {bases.isPending && <Loading />}
        {bases.isError && <Trouble error={bases.error} retry={() => void bases.refetch()} />}
        {bases.isSuccess && all.length === 0 && (view.as ? <Empty icon={Eye} title={t('viewas.nobase')}>{t('viewas.nobasetext')}</Empty> : <Empty icon={FilePlus2} title={t('docs.nobase')} actions={<Button look="primary" onClick={() => setMaking(true)}>{t('docs.newbase')}</Button>}>{t('docs.nobasetext')}</Empty>)}
        {base && (
          <>
            <div className="mb-3 flex flex-wrap gap-1.5" role="group" aria-label={t('bases.title')}>
              {all.map((b) => (
                <button key={b.id} type="button" aria-pressed={b.id === base.id} data-kb={b.id} onClick={() => setQuery(kept(view.as, { kb: b.id }))} className={cx('rounded-md border px-2.5 py-1 text-sm', b.id === base.id ? 'border-accent-line bg-accent-soft font-medium text-accent' : 'border-line text-ink-2 hover:bg-hover')}>{b.name}</button>
              ))}
            </div>
            <p className="mb-3 text-xs text-ink-3">{t(`docs.role.${base.role}`)} · {t(`docs.publishing.${base.publishing}`)}</p>
            {unread !== null && <div className="mb-3"><Trouble error={unread} /></div>}
            <Sent />
            {writes && <div className={cx('mb-3 rounded-lg border border-dashed px-4 py-3 text-center text-sm max-sm:hidden', over ? 'border-accent bg-accent-soft text-accent' : 'border-line-strong text-ink-2')}>{t(over ? 'docs.dropnow' : 'docs.drop')}</div>}
            <Rows key={`${base.id} ${view.as}`} base={base} as={view.as} />
          </>
        )}
        {making && <NewBase onClose={() => { setMaking(false); if (query.has('new')) setQuery({}) }} />}
        {rights && base && <Grants base={base} onClose={() => setRights(false)} />}
      </Page>
    </div>
  )
}

const columns = 'grid grid-cols-[minmax(0,1fr)_4rem_5.5rem] sm:grid-cols-[minmax(0,1fr)_5rem_6rem_7rem_7rem] items-center gap-3 px-3'

// Rows are the documents of a knowledge base. Only those on the screen are in the page, and the next
// ones are asked for when the end comes near.
function Rows({ base, as }: { base: KnowledgeBase; as: string }) {
  const { t, day, number } = useWords()
  const [status, setStatus] = useState('')
  const [filter, setFilter] = useState('')
  const { list: docs, items: all } = usePages<Document>(['documents', base.id, status, as], at('knowledge-bases', base.id, 'documents'), { limit: 200, status, view_as: as }, as ? recorded : {})
  const rows = useMemo(() => {
    const f = filter.toLowerCase()
    return f ? all.filter((d) => d.title.toLowerCase().includes(f) || d.doc_key.toLowerCase().includes(f)) : all
  }, [all, filter])
  const box = useRef<HTMLDivElement>(null)
  const virtual = useVirtualizer({ count: rows.length, getScrollElement: () => box.current, estimateSize: () => 48, overscan: 12 })
  const items = virtual.getVirtualItems()
  const last = items[items.length - 1]?.index ?? 0
  const { hasNextPage, isFetching, isError, fetchNextPage } = docs
  useEffect(() => {
    if (hasNextPage && !isFetching && !isError && (filter !== '' || last >= rows.length - 60)) void fetchNextPage()
  }, [last, rows.length, filter, hasNextPage, isFetching, isError, fetchNextPage])
  if (docs.isPending) return <Loading />
  if (docs.isError) return <Trouble error={docs.error} retry={() => void docs.refetch()} />
  return (
    <>
      <div className="mb-2 flex flex-wrap items-center gap-2">
        <input className="field sm:max-w-[260px]" type="search" value={filter} onChange={(e) => setFilter(e.target.value)} placeholder={t('docs.filter')} aria-label={t('docs.filter')} />
        {base.role !== 'reader' && (
          <select className="field max-w-[160px] max-sm:flex-1" aria-label={t('docs.status')} value={status} onChange={(e) => setStatus(e.target.value)}>
            <option value="">{t('docs.anystatus')}</option>
            {(['published', 'draft', 'archived'] as const).map((s) => <option key={s} value={s}>{t(`status.${s}`)}</option>)}
          </select>
        )}
        <span className="num text-xs text-ink-3">{t('docs.count', { n: number(rows.length) })}{hasNextPage && '+'}</span>
      </div>
      {rows.length === 0 ? <Empty icon={FilePlus2} title={t('docs.none')}>{t(base.role === 'reader' ? 'docs.nonereader' : 'docs.nonetext')}</Empty> : (
        <div className="card overflow-hidden" role="table" aria-label={t('docs.title')} aria-rowcount={rows.length}>
          <div role="rowgroup"><div role="row" className={cx(columns, 'h-9 border-b border-line text-xs font-medium text-ink-3')}>
            <span role="columnheader">{t('docs.name')}</span><span role="columnheader">{t('docs.version')}</span><span role="columnheader">{t('docs.status')}</span>
            <span role="columnheader" className="hidden sm:block">{t('docs.updated')}</span><span role="columnheader" className="hidden text-right sm:block">{t('docs.size')}</span>
          </div></div>
          <div ref={box} role="rowgroup" tabIndex={0} aria-label={t('docs.title')} className="max-h-[62vh] overflow-y-auto">
            <div style={{ height: virtual.getTotalSize(), position: 'relative' }} role="presentation">
              {items.map((v) => {
                const d = rows[v.index]!
                return (
                  <div key={d.id} role="row" aria-rowindex={v.index + 1} style={{ position: 'absolute', top: 0, left: 0, right: 0, height: v.size, transform: `translateY(${v.start}px)` }} className={cx(columns, 'border-b border-line text-sm hover:bg-sunken')}>
                    <span role="cell" className="min-w-0"><Link to={`/documents/${encodeURIComponent(d.id)}`} className="block truncate font-medium after:absolute after:inset-0 hover:text-accent">{d.title}</Link><span className="block truncate text-xs text-ink-3">{d.doc_key}</span></span>
                    <span role="cell" className="num">v{d.version}</span><span role="cell"><Status value={d.status} /></span>
                    <span role="cell" className="num hidden text-ink-2 sm:block">{day(d.updated_at)}</span><span role="cell" className="num hidden text-right text-ink-2 sm:block">{bytes(d.size)}</span>
                  </div>
                )
              })}
            </div>
          </div>
        </div>
      )}
    </>
  )
}

function NewBase({ onClose }: { onClose: () => void }) {
  const { t } = useWords()
  const cache = useQueryClient()
  const navigate = useNavigate()
  const [name, setName] = useState('')
  const create = useErrand()
  const make = useMutation({
    mutationFn: () => create<KnowledgeBase>(at('knowledge-bases'), { name: name.trim() }),
    onSuccess: async (b) => {
      await cache.invalidateQueries({ queryKey: ['bases'] })
      onClose()
      void navigate(`/documents?kb=${encodeURIComponent(b.id)}`)
    },
  })
  return (
    <Dialog title={t('docs.newbase')} onClose={onClose} actions={<><Button onClick={onClose}>{t('cancel.dialog')}</Button><Button look="primary" busy={make.isPending} disabled={!name.trim()} onClick={() => make.mutate()}>{t('create')}</Button></>}>
      <form onSubmit={(e) => { e.preventDefault(); if (name.trim()) make.mutate() }} className="space-y-3">
        <Field label={t('docs.basename')} hint={t('docs.basehint')}><input className="field" autoFocus value={name} onChange={(e) => setName(e.target.value)} /></Field>
        {make.isError && <Trouble error={make.error} />}
      </form>
    </Dialog>
  )
}
