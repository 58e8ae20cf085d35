import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'

import { at, Problem, send } from '../api/client'
import type { Synonyms } from '../api/types'
import { useWords } from '../i18n'
import { copy } from '../lib/copy'
import { useLeaving } from '../lib/leaving'
import { useUnsaved } from '../lib/unsaved'
import { Button, Loading, Trouble } from '../ui/basic'

interface Kept { etag: string; list: Synonyms }

async function kept(res: Response): Promise<Kept> {
  return { etag: res.headers.get('ETag') ?? '', list: (await res.json()) as Synonyms }
}

const path = at('synonyms')

// SynonymList shows and changes the words and synonyms of the organisation, to its administrators.
export function SynonymList() {
  const { t } = useWords()
  const list = useQuery({ queryKey: ['synonyms'], staleTime: Infinity, refetchOnWindowFocus: false, queryFn: async ({ signal }) => kept(await send(path, { signal })) })
  return (
    <section className="mb-6" aria-label={t('synonyms.title')} data-synonyms>
      <h2 className="eyebrow mb-1">{t('synonyms.title')}</h2>
      <div className="card space-y-3 p-4 text-sm">
        <p className="text-ink-2">{t('synonyms.lead')}</p>
        {list.isPending && <Loading />}
        {list.isError && <Trouble error={list.error} retry={() => void list.refetch()} />}
        {list.data && <Editor key={list.data.etag} kept={list.data} />}
      </div>
    </section>
  )
}

// span is the place in a text where a line stands, counted from 0.
export function span(text: string, line: number): { start: number; end: number } {
  const lines = text.split('\n')
  const start = lines.slice(0, line).reduce((n, l) => n + l.length + 1, 0)
  return { start, end: start + (lines[line]?.length ?? 0) }
}

// wrong are the lines that the server could not use, by their number from 0.
export function wrong(error: unknown): { line: number; detail: string }[] {
  if (!(error instanceof Problem) || error.code !== 'invalid_lexicon') return []
  return error.fields.flatMap((f) => {
    const n = /^\/lines\/(\d+)$/.exec(f.pointer)?.[1]
    return n === undefined ? [] : [{ line: Number(n), detail: f.detail }]
  })
}

// Editor changes the list as text. A list that came in between is not overwritten: both stay, and the
// person decides.
function Editor({ kept: { etag, list } }: { kept: Kept }) {
  const { t, date, number } = useWords()
  const cache = useQueryClient()
  const before = list.lines.join('\n')
  const { found, keep } = useUnsaved<string>('synonyms', `${etag} ${before}`)
  const [text, setText] = useState(found ?? before)
  const [sent, setSent] = useState('')
  const box = useRef<HTMLTextAreaElement>(null)
  const dirty = text !== before
  useEffect(() => keep(dirty ? text : null), [keep, dirty, text])
  useLeaving(dirty)
  const [copied, setCopied] = useState<unknown>(null)
  const save = useMutation({
    mutationFn: async (lines: string) => kept(await send(path, { method: 'PUT', ifMatch: etag, body: { lines: lines === '' ? [] : lines.split('\n') } })),
    onSuccess: (now) => cache.setQueryData(['synonyms'], now),
  })
  const faults = wrong(save.error)
  const stale = save.error instanceof Problem && save.error.status === 412
  const lines = sent.split('\n')
  const go = (line: number) => {
    const s = span(text, line)
    box.current?.focus()
    box.current?.setSelectionRange(s.start, s.end)
  }
  const take = async () => {
    await copy(text)
    await cache.invalidateQueries({ queryKey: ['synonyms'] })
  }
  return (
    <form className="space-y-3" onSubmit={(e) => { e.preventDefault(); setSent(text); save.mutate(text) }}>
      {found !== null && dirty && !stale && <p role="status" className="flex flex-wrap items-center gap-3 rounded-md bg-accent-soft px-3 py-2 text-accent" data-unsaved>{t('drafts.unsaved')}<Button small onClick={() => setText(before)}>{t('drafts.back')}</Button></p>}
      <textarea
        ref={box} className="field font-mono" rows={Math.min(16, Math.max(6, list.lines.length + 2))} value={text} onChange={(e) => setText(e.target.value)} spellCheck={false}
        aria-label={t('synonyms.lines')} aria-invalid={faults.length > 0 || undefined} aria-describedby="synonyms-faults synonyms-how"
      />
      <p id="synonyms-how" className="text-xs text-ink-3">{t('synonyms.how')}</p>
      <div id="synonyms-faults">
        {faults.length > 0 && (
          <div role="alert" className="rounded-md bg-bad-soft px-3 py-2 text-bad">
            <p>{t('synonyms.faults')}</p>
            <ul className="mt-1 space-y-1">
              {faults.map((f) => (
                <li key={f.line} data-line={f.line + 1}>
                  <button type="button" className="font-medium underline underline-offset-2" onClick={() => go(f.line)}>{t('synonyms.line', { n: f.line + 1 })}</button> <code className="break-all">{lines[f.line]}</code>
                  <span className="block text-xs" lang="en">{f.detail}</span>
                </li>
              ))}
            </ul>
          </div>
        )}
        {stale && (
          <div role="alert" className="rounded-md bg-warn-soft px-3 py-2 text-warn">
            <p>{t('synonyms.stale')}</p>
            <Button small className="mt-1.5" onClick={() => void take().catch(setCopied)}>{t('synonyms.takenew')}</Button>
          </div>
        )}
        {save.isError && !stale && faults.length === 0 && <Trouble error={save.error} kept={t('error.kept.form')} />}
        {copied !== null && <Trouble error={copied} />}
      </div>
      <div className="flex flex-wrap items-center gap-3">
        <Button type="submit" look="primary" busy={save.isPending} disabled={!dirty}>{t('save')}</Button>
        <p role="status" className="num text-xs text-ink-3">
          {t('synonyms.counts', { w: number(list.words), s: number(list.synonyms) })}
          {list.updated_at && ` · ${t('synonyms.by', { who: list.updated_by, d: date(list.updated_at) })}`}
          {!list.indexed && ` · ${t('synonyms.indexing')}`}
        </p>
      </div>
    </form>
  )
}
