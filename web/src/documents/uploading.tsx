import { useQueryClient } from '@tanstack/react-query'
import { createContext, useContext, useEffect, useMemo, useSyncExternalStore, type ReactNode } from 'react'

import { at, get, headers, once, passes, place, Problem } from '../api/client'
import type { Job, KnowledgeBase, Upload } from '../api/types'
import type { Named } from '../lib/dropped'
import { useLeaving } from '../lib/leaving'
import { unhurried } from '../lib/unhurried'

export interface Item extends Named {
  key: string; base: KnowledgeBase; begun: boolean; sent: number; job: Job | null; upload: Upload | null; error: unknown; done: boolean
}

export const ended = (j: Job) => j.state === 'succeeded' || j.state === 'failed' || j.state === 'cancelled'

// standing is where an upload is, for what is counted and shown.
export type Standing = 'good' | 'failed' | 'working'
export function standing(x: Item): Standing {
  if (x.error !== null || x.job?.state === 'failed') return 'failed'
  return x.job?.state === 'succeeded' || x.upload?.unchanged ? 'good' : 'working'
}

// sendFile is a request of the older kind, since only that tells how much was sent.
function sendFile(item: Item, onSent: (n: number) => void, gone: AbortSignal): Promise<Upload> {
  return new Promise((done, fail) => {
    const form = new FormData()
    form.set('status', item.base.role === 'manager' ? 'published' : 'draft')
    if (item.name !== item.file.name) form.set('doc_key', item.name)
    form.set('file', item.file)
    const x = new XMLHttpRequest()
    x.open('POST', place(at('knowledge-bases', item.base.id, 'documents')))
    headers({ key: item.key }).forEach((v, k) => x.setRequestHeader(k, v))
    x.upload.onprogress = (e) => onSent(e.loaded)
    const stop = () => x.abort()
    gone.addEventListener('abort', stop)
    x.onerror = x.onabort = () => {
      gone.removeEventListener('abort', stop)
      fail(new Problem(0, 'unreachable', ''))
    }
    x.onload = () => {
      gone.removeEventListener('abort', stop)
      let body: Record<string, unknown> = {}
      try { body = JSON.parse(x.responseText) as Record<string, unknown> } catch { /* No JSON is no success either. */ }
      if (x.status >= 200 && x.status < 300) done(body as unknown as Upload)
      else fail(new Problem(x.status, String(body.code ?? 'internal'), String(body.detail ?? ''), (body.errors as []) ?? [], body))
    }
    x.send(form)
  })
}

const pause = (ms: number) => new Promise<void>((r) => setTimeout(r, ms))

// attempts is how often a file is sent of which no answer came, or only that the server has no time now.
const attempts = 4

// Uploading sends files one after another and follows the jobs that they become. It belongs to the
// session, not to a screen: who goes elsewhere finds it further on.
export class Uploading {
  items: Item[] = []
  #hearers = new Set<() => void>()
  #sending = false
  #watching = false
  #turn = 0
  #gone = new AbortController()
  readonly #changed: () => void

  constructor(changed: () => void) { this.#changed = unhurried(changed, 1000) }

  hear = (f: () => void) => { this.#hearers.add(f); return () => { this.#hearers.delete(f) } }
  shown = () => this.items
  open = () => { if (this.#gone.signal.aborted) this.#gone = new AbortController() }
  close = () => { this.#gone.abort(); this.#show([]) }
  clear = () => this.#show(this.items.filter((x) => !x.done))

  add = (base: KnowledgeBase, files: Named[]) => {
    this.#show(this.items.concat(files.map((f) => ({ ...f, key: once(), base, begun: false, sent: 0, job: null, upload: null, error: null, done: false }))))
    void this.#sendAll()
  }

  // again sends a file once more, as the same request: what the server took in already it takes in once.
  again = (key: string) => {
    this.#edit(key, { begun: false, sent: 0, error: null, done: false })
    void this.#sendAll()
  }

  #show(items: Item[]) {
    this.items = items
    this.#hearers.forEach((f) => f())
  }

  #edit(key: string, change: Partial<Item>) { this.#show(this.items.map((x) => (x.key === key ? { ...x, ...change } : x))) }

  async #sendAll() {
    if (this.#sending) return
    this.#sending = true
    const gone = this.#gone.signal
    for (let next; !gone.aborted && (next = this.items.find((x) => !x.begun)); ) await this.#send(next, gone)
    this.#sending = false
  }

  async #send(item: Item, gone: AbortSignal) {
    this.#edit(item.key, { begun: true })
    for (let n = 1; !gone.aborted; n++) {
      try {
        const upload = await sendFile(item, (sent) => this.#edit(item.key, { sent }), gone)
        this.#edit(item.key, { upload, sent: item.file.size, done: upload.job_id === null })
        if (upload.job_id) void this.#watch()
        return
      } catch (error) {
        if (gone.aborted) return
        if (!passes(error) || n === attempts) {
          this.#edit(item.key, { error, done: true })
          this.#changed()
          return
        }
        this.#edit(item.key, { sent: 0 })
        await pause(500 * 2 ** n)
      }
    }
  }

  // watch asks after the jobs until all are over. They are worked on in their order, so that the oldest
  // few are asked after each time, and of the others two in turn.
  async #watch() {
    if (this.#watching) return
    this.#watching = true
    const gone = this.#gone.signal
    while (!gone.aborted) {
      const open = this.items.filter((x) => !x.done && x.upload?.job_id)
      if (open.length === 0) break
      const rest = open.slice(6)
      const some = rest.length === 0 ? [] : [rest[this.#turn++ % rest.length]!, rest[this.#turn++ % rest.length]!]
      await Promise.all([...new Set([...open.slice(0, 6), ...some])].map((x) => this.#look(x, gone)))
      await pause(400)
    }
    this.#watching = false
  }

  async #look(x: Item, gone: AbortSignal) {
    try {
      const job = await get<Job>(at('jobs', x.upload!.job_id!), undefined, gone)
      this.#edit(x.key, { job, done: ended(job) })
      if (ended(job)) this.#changed()
    } catch (error) {
      if (!gone.aborted && !passes(error)) this.#edit(x.key, { error, done: true })
    }
  }
}

const Context = createContext<Uploading | null>(null)

// Uploads holds what is uploaded by the person who is signed in, and warns of closing the page before it is sent.
export function Uploads({ children }: { children: ReactNode }) {
  const cache = useQueryClient()
  const uploading = useMemo(() => new Uploading(() => void cache.invalidateQueries({ queryKey: ['documents'] })), [cache])
  useEffect(() => { uploading.open(); return uploading.close }, [uploading])
  const items = useSyncExternalStore(uploading.hear, uploading.shown)
  useLeaving(items.some((x) => !x.done && x.upload === null))
  return <Context value={uploading}>{children}</Context>
}

export function useUploads(): { uploading: Uploading; items: Item[] } {
  const uploading = useContext(Context)
  if (!uploading) throw new Error('outside of Uploads')
  return { uploading, items: useSyncExternalStore(uploading.hear, uploading.shown) }
}
