import { useVirtualizer } from '@tanstack/react-virtual'
import { memo, useRef } from 'react'

import { passes, Problem } from '../api/client'
import { useWords } from '../i18n'
import { bytes, unsteered } from '../lib/text'
import { Badge, Bar, Button, Trouble } from '../ui/basic'
import { ended, standing, useUploads, type Item } from './uploading'

// Sent are the files that are uploaded, with how far each of them is, and how many are done in all.
export function Sent() {
  const { t, number } = useWords()
  const { uploading, items } = useUploads()
  const box = useRef<HTMLDivElement>(null)
  // A folder has thousands of files at times: only those on the screen are in the page.
  const virtual = useVirtualizer({ count: items.length, getScrollElement: () => box.current, estimateSize: () => 48, overscan: 12, getItemKey: (i) => items[i]!.key })
  if (items.length === 0) return null
  const failed = items.filter((x) => standing(x) === 'failed').length
  const done = items.filter((x) => x.done).length
  return (
    <section aria-label={t('upload.title')} className="card mb-4" data-uploads={items.length}>
      <div className="border-b border-line px-3 py-1.5">
        <div className="flex items-center gap-3"><h2 className="text-sm font-medium">{t('upload.title')}</h2>
          <p role="status" className="num flex-1 text-xs text-ink-2">{t('upload.count', { n: number(done), all: number(items.length) })}{failed > 0 && <span className="text-bad"> · {t('upload.failed', { n: number(failed) })}</span>}</p>
          {done > 0 && <Button small look="ghost" onClick={uploading.clear}>{t('upload.clear')}</Button>}
        </div>
        {done < items.length && items.length > 1 && <div className="mt-1"><Bar label={t('upload.title')} value={done} max={items.length} /></div>}
      </div>
      <div ref={box} tabIndex={0} role="region" aria-label={t('upload.title')} className="max-h-[40vh] overflow-y-auto">
        <ul className="relative" style={{ height: virtual.getTotalSize() }}>
          {virtual.getVirtualItems().map((v) => (
            <li key={v.key} ref={virtual.measureElement} data-index={v.index} aria-setsize={items.length} aria-posinset={v.index + 1} className="absolute inset-x-0 top-0 border-b border-line px-3 py-2 text-sm" style={{ transform: `translateY(${v.start}px)` }} data-upload={items[v.index]!.name} data-state={standing(items[v.index]!)}>
              <Row item={items[v.index]!} again={uploading.again} />
            </li>
          ))}
        </ul>
      </div>
    </section>
  )
}

const Row = memo(function Row({ item, again }: { item: Item; again: (key: string) => void }) {
  const { t, word } = useWords()
  const j = item.job
  const state = standing(item)
  const name = unsteered(item.name)
  const proposal = item.error instanceof Problem && item.error.code === 'proposal_required'
  const stage = !item.begun ? t('upload.queued') : item.upload?.unchanged ? t('upload.unchanged') : j ? (ended(j) ? word('status', j.state) : word('stage', j.stage || j.state)) : item.sent < item.file.size ? t('upload.sending') : t('upload.waiting')
  return (
    <>
      <div className="flex items-center gap-3">
        <span className="min-w-0 flex-1 truncate" title={name}>{name}</span>
        <span className="num text-xs text-ink-3">{item.base.name} · {bytes(item.file.size)}</span>
        <Badge tone={proposal ? 'warn' : state === 'failed' ? 'bad' : state === 'good' ? 'good' : item.begun ? 'accent' : 'mute'}>{proposal ? t('upload.proposal') : state === 'failed' ? t('status.failed') : stage}</Badge>
      </div>
      {item.begun && !item.done && <div className="mt-1.5"><Bar label={name} value={j ? j.done : item.sent} max={j ? j.total : item.file.size} /></div>}
      {proposal ? <p className="mt-1 text-xs text-ink-2">{t('upload.proposaltext')}</p> : item.error !== null && <div className="mt-1.5"><Trouble error={item.error} retry={passes(item.error) ? () => again(item.key) : undefined} /></div>}
      {j?.error && <p className="mt-1 text-xs text-bad">{word('error', j.error.code) === j.error.code ? j.error.detail : word('error', j.error.code)}</p>}
      {j && j.contents.some((c) => c.error === null) && <p className="mt-1 text-xs text-ink-2">{t('upload.inside', { n: j.contents.filter((c) => c.error === null).length })}</p>}
      {j?.contents.map((c) => c.error && <p key={c.path} className="mt-1 text-xs text-bad">{c.path}: {word('error', c.error.code) === c.error.code ? c.error.detail : word('error', c.error.code)}</p>)}
      {j?.notices.map((n) => <p key={n} className="mt-1 text-xs text-warn">{word('notice', n)}</p>)}
    </>
  )
})
