import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useRef, useState } from 'react'

import { at, get, headers, once, passes, place, Problem } from '../api/client'
import type { Job, KnowledgeBase, Upload } from '../api/types'
import { useWords } from '../i18n'
import { bytes, unsteered } from '../lib/text'
import { Badge, Bar, Button, Trouble } from '../ui/basic'

export interface Item {
  key: string; base: KnowledgeBase; file: File; sent: number; job: Job | null; upload: Upload | null; error: unknown; done: boolean
}

const ended = (j: Job) => j.state === 'succeeded' || j.state === 'failed' || j.state === 'cancelled'

// sendFile is a request of the older kind, since only that tells how much was sent.
function sendFile(item: Item, onSent: (n: number) => void): Promise<Upload> {
  return new Promise((done, fail) => {
    const form = new FormData()
    form.set('status', item.base.role === 'manager' ? 'published' : 'draft')
    form.set('file', item.file)
    const x = new XMLHttpRequest()
    x.open('POST', place(at('knowledge-bases', item.base.id, 'documents')))
    headers({ key: item.key }).forEach((v, k) => x.setRequestHeader(k, v))
    x.upload.onprogress = (e) => onSent(e.loaded)
    x.onerror = () => fail(new Problem(0, 'unreachable', ''))
    x.onload = () => {
      let body: Record<string, unknown> = {}
      try { body = JSON.parse(x.responseText) as Record<string, unknown> } catch { /* No JSON is no success either. */ }
      if (x.status >= 200 && x.status < 300) done(body as unknown as Upload)
      else fail(new Problem(x.status, String(body.code ?? 'internal'), String(body.detail ?? ''), (body.errors as []) ?? [], body))
    }
    x.send(form)
  })
}

export interface UploadList { items: Item[]; add: (base: KnowledgeBase, files: File[]) => void; clear: () => void }

// useUploads sends files one after another and follows the jobs that they become.
export function useUploads(): UploadList {
  const cache = useQueryClient()
  const [items, setItems] = useState<Item[]>([])
  const queue = useRef<Promise<void>>(Promise.resolve())
  const alive = useRef(true)
  useEffect(() => { alive.current = true; return () => { alive.current = false } }, [])
  const edit = useCallback((key: string, change: Partial<Item>) => setItems((all) => all.map((x) => (x.key === key ? { ...x, ...change } : x))), [])
  const watch = useCallback(async (key: string, job: string) => {
    while (alive.current) {
      try {
        const j = await get<Job>(at('jobs', job))
        edit(key, { job: j, done: ended(j) })
        if (ended(j)) return void cache.invalidateQueries({ queryKey: ['documents'] })
      } catch (error) {
        if (!passes(error)) return edit(key, { error, done: true })
        await new Promise((r) => setTimeout(r, 2000))
      }
      await new Promise((r) => setTimeout(r, 400))
    }
  }, [cache, edit])
  const add = useCallback((base: KnowledgeBase, files: File[]) => {
    for (const file of files) {
      const item: Item = { key: once(), base, file, sent: 0, job: null, upload: null, error: null, done: false }
      setItems((all) => [...all, item])
      queue.current = queue.current.then(async () => {
        try {
          const upload = await sendFile(item, (sent) => edit(item.key, { sent }))
          edit(item.key, { upload, sent: file.size, done: upload.job_id === null })
          if (upload.job_id) void watch(item.key, upload.job_id)
        } catch (error) {
          edit(item.key, { error, done: true })
          void cache.invalidateQueries({ queryKey: ['documents'] })
        }
      })
    }
  }, [cache, edit, watch])
  return { items, add, clear: () => setItems((all) => all.filter((x) => !x.done)) }
}

export function Uploads({ uploads }: { uploads: UploadList }) {
  const { t } = useWords()
  if (uploads.items.length === 0) return null
  return (
    <section aria-label={t('upload.title')} className="card mb-4">
      <div className="flex items-center border-b border-line px-3 py-1.5"><h2 className="flex-1 text-sm font-medium">{t('upload.title')}</h2>
        {uploads.items.some((x) => x.done) && <Button small look="ghost" onClick={uploads.clear}>{t('upload.clear')}</Button>}
      </div>
      <ul>{uploads.items.map((x) => <Row key={x.key} item={x} />)}</ul>
    </section>
  )
}

function Row({ item }: { item: Item }) {
  const { t, word } = useWords()
  const j = item.job
  const failed = item.error !== null || j?.state === 'failed'
  const good = j?.state === 'succeeded' || item.upload?.unchanged
  const proposal = item.error instanceof Problem && item.error.code === 'proposal_required'
  const stage = failed ? '' : item.upload?.unchanged ? t('upload.unchanged') : j ? (ended(j) ? word('status', j.state) : word('stage', j.stage || j.state)) : item.sent < item.file.size ? t('upload.sending') : t('upload.waiting')
  return (
    <li className="border-b border-line px-3 py-2 text-sm last:border-b-0" data-upload={item.file.name} data-state={good ? 'good' : failed ? 'failed' : 'working'}>
      <div className="flex items-center gap-3">
        <span className="min-w-0 flex-1 truncate">{unsteered(item.file.name)}</span>
        <span className="num text-xs text-ink-3">{bytes(item.file.size)}</span>
        <Badge tone={proposal ? 'warn' : failed ? 'bad' : good ? 'good' : 'accent'}>{proposal ? t('upload.proposal') : failed ? t('status.failed') : stage}</Badge>
      </div>
      {!item.done && <div className="mt-1.5"><Bar label={unsteered(item.file.name)} value={j ? j.done : item.sent} max={j ? j.total : item.file.size} /></div>}
      {proposal ? <p className="mt-1 text-xs text-ink-2">{t('upload.proposaltext')}</p> : item.error !== null && <div className="mt-1.5"><Trouble error={item.error} /></div>}
      {j?.error && <p className="mt-1 text-xs text-bad">{word('error', j.error.code) === j.error.code ? j.error.detail : word('error', j.error.code)}</p>}
      {j && j.contents.some((c) => c.error === null) && <p className="mt-1 text-xs text-ink-2">{t('upload.inside', { n: j.contents.filter((c) => c.error === null).length })}</p>}
      {j?.contents.map((c) => c.error && <p key={c.path} className="mt-1 text-xs text-bad">{c.path}: {word('error', c.error.code) === c.error.code ? c.error.detail : word('error', c.error.code)}</p>)}
      {j?.notices.map((n) => <p key={n} className="mt-1 text-xs text-warn">{word('notice', n)}</p>)}
    </li>
  )
}
