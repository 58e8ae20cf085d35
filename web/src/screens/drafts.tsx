import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { FilePen } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Link, useParams } from 'react-router'

import { at, download, Problem, send } from '../api/client'
import { usePages } from '../api/pages'
import type { Draft, DraftVersion } from '../api/types'
import { useBaseName } from '../ask/scope'
import { useWords } from '../i18n'
import { copy } from '../lib/copy'
import { useLeaving } from '../lib/leaving'
import { where } from '../lib/text'
import { useUnsaved } from '../lib/unsaved'
import { Badge, Button, Empty, Field, Loading, More, Page, Status, Trouble } from '../ui/basic'
import { Formats } from '../ui/formats'
import { Proven } from '../ui/proven'

export default function Drafts() {
  const { id } = useParams()
  return id ? <One key={id} id={id} /> : <All />
}

function All() {
  const { t, date } = useWords()
  const { list, items } = usePages<DraftVersion>(['drafts'], at('drafts'), { limit: 200 })
  return (
    <Page title={t('nav.drafts')} lead={t('drafts.lead')}>
      {list.isPending && <Loading />}
      {list.isError && <Trouble error={list.error} retry={() => void list.refetch()} />}
      {list.isSuccess && items.length === 0 && <Empty icon={FilePen} title={t('drafts.none')} actions={<Link to="/" className="text-sm text-accent underline underline-offset-2">{t('nav.ask')}</Link>}>{t('drafts.nonetext')}</Empty>}
      {items.length > 0 && (
        <ul className="card divide-y divide-line">
          {items.map((d) => (
            <li key={d.draft_id}><Link to={`/drafts/${d.draft_id}`} className="flex items-center gap-3 px-4 py-2.5 hover:bg-sunken"><span className="min-w-0 flex-1 truncate font-medium">{d.title}</span>{d.reduced && <Badge tone="warn">{t('drafts.reduced')}</Badge>}<span className="num text-xs text-ink-3">v{d.version}</span><span className="num text-xs text-ink-3">{date(d.saved_at)}</span></Link></li>
          ))}
        </ul>
      )}
      <More list={list} />
    </Page>
  )
}

function One({ id }: { id: string }) {
  const { t } = useWords()
  const draft = useQuery({
    queryKey: ['draft', id], staleTime: Infinity, refetchOnWindowFocus: false,
    queryFn: async ({ signal }) => {
      const res = await send(at('drafts', id), { signal })
      return { etag: res.headers.get('ETag') ?? '', draft: (await res.json()) as Draft }
    },
  })
  if (draft.isPending) return <Page title={t('nav.drafts')}><Loading /></Page>
  if (draft.isError) return <Page title={t('nav.drafts')}><Trouble error={draft.error} retry={() => void draft.refetch()} /></Page>
  return <Editor key={draft.data.draft.version} draft={draft.data.draft} etag={draft.data.etag} />
}

// Editor changes a draft. A version that came in between is not overwritten: both texts stay, and the
// person decides.
function Editor({ draft, etag }: { draft: Draft; etag: string }) {
  const { t, date } = useWords()
  const cache = useQueryClient()
  const name = useBaseName()
  const left = useUnsaved<{ title: string; body: string }>(draft.draft_id, `${draft.version} ${draft.body}`)
  const [title, setTitle] = useState(left.found?.title ?? draft.title)
  const [body, setBody] = useState(left.found?.body ?? draft.body)
  const [error, setError] = useState<unknown>(null)
  const dirty = title !== draft.title || body !== draft.body
  const { keep } = left
  useEffect(() => keep(dirty ? { title, body } : null), [keep, dirty, title, body])
  useLeaving(dirty)
  const back = () => { setTitle(draft.title); setBody(draft.body) }
  const takeNew = () => cache.invalidateQueries({ queryKey: ['draft', draft.draft_id] })
  const save = useMutation({
    mutationFn: () => send(at('drafts', draft.draft_id), { method: 'PUT', ifMatch: etag, body: { ...(title !== draft.title ? { title } : {}), ...(body !== draft.body ? { body } : {}) } }),
    onSuccess: () => Promise.all([cache.invalidateQueries({ queryKey: ['draft', draft.draft_id] }), cache.invalidateQueries({ queryKey: ['drafts'] })]),
    onError: setError,
  })
  const stale = save.error instanceof Problem && (save.error.status === 412 || save.error.code === 'version_conflict')
  const take = (format: string, name: string) => void download(at('drafts', draft.draft_id, 'export'), name, { format }).catch(setError)
  return (
    <Page
      title={draft.title} lead={<span className="num">{draft.goal} · v{draft.version} · {date(draft.saved_at)} · <Link className="text-accent underline underline-offset-2" to={`/runs/${draft.run_id}`}>{t('drafts.run')}</Link></span>}
      actions={<><Formats take={(format, ending) => take(format, `draft${ending}`)} /><Button look="primary" busy={save.isPending} disabled={!dirty} onClick={() => save.mutate()}>{t('save')}</Button></>}
    >
      <Proven integrity={draft.integrity} broken="integrity.draftbroken" />
      {draft.reduced && <p className="mb-3 rounded-md bg-warn-soft px-3 py-2 text-sm text-warn">{t('drafts.reducedtext')}</p>}
      {stale ? (
        <div role="alert" className="mb-3 rounded-md bg-warn-soft px-3 py-2 text-sm text-warn">
          <p>{t('drafts.stale')}</p>
          <Button small className="mt-1.5" onClick={() => void copy(body).then(takeNew).catch(setError)}>{t('drafts.takenew')}</Button>
        </div>
      ) : error !== null && <div className="mb-3"><Trouble error={error} kept={t('error.kept.form')} /></div>}
      {left.found && dirty && !stale && <p role="status" className="mb-3 flex flex-wrap items-center gap-3 rounded-md bg-accent-soft px-3 py-2 text-sm text-accent" data-unsaved>{t('drafts.unsaved')}<Button small onClick={back}>{t('drafts.back')}</Button></p>}
      <div className="space-y-4">
        <Field label={t('drafts.title')}><input className="field" value={title} onChange={(e) => setTitle(e.target.value)} /></Field>
        <Field label={t('drafts.body')} hint={t('drafts.bodyhint')}><textarea className="field text-base leading-7" rows={18} value={body} onChange={(e) => setBody(e.target.value)} /></Field>
        {draft.citations.length > 0 && (
          <section><h2 className="eyebrow mb-1">{t('sources.cited')}</h2>
            <ul className="card divide-y divide-line text-sm">{draft.citations.map((c) => <li key={c.label} className="flex items-baseline gap-3 px-3 py-2"><span className="cite">{c.label}</span>{c.withheld ? <span className="text-ink-3">{t('cite.gone', { l: c.label })}</span> : <><span className="min-w-0 flex-1">{c.title} <span className="num text-xs text-ink-3">{name(c) && `${name(c)} · `}v{c.version} · {where(c.quotes[0]?.locator ?? c.locator, t)}</span></span><Status value={c.status} /></>}</li>)}</ul>
          </section>
        )}
      </div>
    </Page>
  )
}
