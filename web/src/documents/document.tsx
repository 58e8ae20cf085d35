import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Archive, BadgeCheck, Download, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { Link, useNavigate, useParams } from 'react-router'

import { at, download, get, Problem, send } from '../api/client'
import { useErrand } from '../api/errand'
import type { Diff, Document, List, Proposal, Quote } from '../api/types'
import { useBases } from '../ask/scope'
import { useWords } from '../i18n'
import { bytes } from '../lib/text'
import { PagePicture, Reading, useChunks } from '../source/context'
import { Comparison } from '../source/diff'
import { Drawing } from '../source/drawing'
import { Fragment } from '../source/fragment'
import { Badge, Button, Empty, Loading, Page, Status, Trouble } from '../ui/basic'
import { Dialog } from '../ui/dialog'
import { Tabs } from '../ui/tabs'
import { Readers } from './readers'

export default function DocumentPage() {
  const { t } = useWords()
  const { id = '' } = useParams()
  const doc = useQuery({ queryKey: ['document', id], queryFn: ({ signal }) => get<Document>(at('documents', id), undefined, signal) })
  if (doc.isPending) return <Page title={t('docs.title')}><Loading /></Page>
  if (doc.isError) {
    const gone = doc.error instanceof Problem && doc.error.status === 404
    return <Page title={t('docs.title')}>{gone ? <Empty title={t('doc.gone')} actions={<Link className="text-sm text-accent underline" to="/documents">{t('docs.title')}</Link>}>{t('doc.gonetext')}</Empty> : <Trouble error={doc.error} retry={() => void doc.refetch()} />}</Page>
  }
  return <Shown key={id} doc={doc.data} />
}

function Shown({ doc }: { doc: Document }) {
  const { t, word, date, number } = useWords()
  const [tab, setTab] = useState('text')
  const bases = useBases()
  const base = bases.data?.items.find((b) => b.id === doc.knowledge_base_id)
  const tabs = [
    { id: 'text', label: t('doc.text'), content: <Text doc={doc} /> },
    { id: 'versions', label: t('doc.versions'), content: <Versions doc={doc} /> },
    { id: 'rights', label: t('doc.rights'), content: <Readers doc={doc} manages={base?.role === 'manager'} /> },
    {
      id: 'about', label: t('doc.about'), content: (
        <dl className="num grid max-w-[70ch] gap-x-6 gap-y-1.5 text-sm max-sm:[&_dt]:mt-1.5 sm:grid-cols-[auto_1fr]">
          {([
            [t('doc.id'), <code key="id" className="break-all">{doc.id}</code>], [t('source.key'), doc.doc_key], [t('doc.media'), doc.media_type], [t('docs.size'), bytes(doc.size)], [t('doc.chars'), number(doc.char_count)],
            [t('doc.chunks'), number(doc.chunk_count)], [t('doc.language'), doc.language || '–'], [t('doc.checksum'), <code key="sum" className="break-all">{doc.checksum}</code>],
            [t('doc.created'), date(doc.created_at)], [t('doc.published'), date(doc.published_at)], [t('source.uri'), doc.source_uri || '–'],
          ] as const).map(([k, v]) => <div key={k} className="contents"><dt className="text-ink-3">{k}</dt><dd className="min-w-0 [overflow-wrap:anywhere]">{v}</dd></div>)}
        </dl>
      ),
    },
  ]
  return (
    <Page
      wide title={doc.title}
      lead={<span className="num flex flex-wrap items-center gap-2">{base && <Link className="inline-flex items-center text-accent underline underline-offset-2" to={`/documents?kb=${encodeURIComponent(base.id)}`}>{base.name}</Link>}<span>v{doc.version}</span><Status value={doc.status} /><span className="min-w-0 break-all text-ink-3">{doc.doc_key}</span>{doc.labels.map((l) => <Badge key={l}>{l}</Badge>)}</span>}
      actions={<Actions doc={doc} manages={base?.role === 'manager'} edits={!!base && base.role !== 'reader'} />}
    >
      {doc.notices.map((n) => <p key={n} className="mb-3 rounded-md bg-warn-soft px-3 py-2 text-sm text-warn">{word('notice', n)}</p>)}
      <Tabs label={doc.title} tabs={tabs} value={tab} onChange={setTab} />
    </Page>
  )
}

const unquoted: Quote[] = []

function Text({ doc }: { doc: Document }) {
  const { t } = useWords()
  const drawing = doc.media_type === 'image/vnd.dxf' || doc.media_type === 'image/svg+xml'
  return <div className="max-w-[76ch]">{drawing ? <Drawing id={doc.id} quotes={unquoted} /> : doc.media_type.startsWith('image/') && <PagePicture id={doc.id} page={1} alt={t('source.picture')} />}<Fragment id={doc.id} absent={<Pieces doc={doc} />} /></div>
}

// Pieces are the text of a version as it is indexed.
function Pieces({ doc }: { doc: Document }) {
  const { t } = useWords()
  const chunks = useChunks(doc.id)
  if (chunks.isPending) return <Loading />
  if (chunks.isError) return chunks.error instanceof Problem && chunks.error.status === 404 ? <Empty title={t('doc.notext')}>{t('doc.notexthint')}</Empty> : <Trouble error={chunks.error} retry={() => void chunks.refetch()} />
  return <Reading chunks={chunks.data.items} spans={[]} />
}

function Actions({ doc, manages, edits }: { doc: Document; manages: boolean; edits: boolean }) {
  const { t } = useWords()
  const navigate = useNavigate()
  const cache = useQueryClient()
  const [sure, setSure] = useState<'archive' | 'delete' | null>(null)
  const [error, setError] = useState<unknown>(null)
  const ask = useErrand()
  const propose = useMutation({
    mutationFn: () => ask<Proposal>(at('documents', doc.id, 'publish-proposals')),
    onSuccess: (p) => navigate(`/approvals/${p.proposal_id}`), onError: setError,
  })
  const act = useMutation({
    mutationFn: () => (sure === 'archive' ? send(at('documents', doc.id, 'archive'), { method: 'POST' }) : send(at('documents', doc.id), { method: 'DELETE' })),
    onSuccess: async () => { const was = sure; setSure(null); await cache.invalidateQueries(); if (was === 'delete') void navigate('/documents') },
    onError: (e) => { setSure(null); setError(e) },
  })
  return (
    <>
      <Button icon={Download} onClick={() => void download(at('documents', doc.id, 'original'), doc.doc_key).catch(setError)}>{t('doc.original')}</Button>
      {manages && doc.status === 'draft' && <Button look="primary" icon={BadgeCheck} busy={propose.isPending} onClick={() => propose.mutate()} data-propose>{t('doc.propose')}</Button>}
      {manages && doc.status === 'published' && <Button icon={Archive} onClick={() => setSure('archive')}>{t('doc.archive')}</Button>}
      {edits && doc.status !== 'published' && <Button look="danger" icon={Trash2} onClick={() => setSure('delete')}>{t('delete')}</Button>}
      {error !== null && <div className="w-full"><Trouble error={error} /></div>}
      {sure && (
        <Dialog title={t(sure === 'archive' ? 'doc.archive' : 'delete')} onClose={() => setSure(null)} actions={<><Button onClick={() => setSure(null)}>{t('cancel.dialog')}</Button><Button look="danger" busy={act.isPending} onClick={() => act.mutate()}>{t(sure === 'archive' ? 'doc.archive' : 'delete')}</Button></>}>
          <p className="text-sm">{t(sure === 'archive' ? 'doc.archivetext' : 'doc.deletetext', { title: doc.title, v: doc.version })}</p>
        </Dialog>
      )}
    </>
  )
}

function Versions({ doc }: { doc: Document }) {
  const { t, day } = useWords()
  const list = useQuery({ queryKey: ['versions', doc.id], queryFn: ({ signal }) => get<List<Document>>(at('documents', doc.id, 'versions'), undefined, signal) })
  const [pair, setPair] = useState<{ from: string; to: string } | null>(null)
  const diff = useQuery({ queryKey: ['diff', pair?.from, pair?.to], enabled: !!pair, queryFn: ({ signal }) => get<Diff>(at('documents', pair!.from, 'diff'), { to: pair!.to }, signal) })
  if (list.isPending) return <Loading />
  if (list.isError) return <Trouble error={list.error} retry={() => void list.refetch()} />
  const items = [...list.data.items].sort((a, b) => b.version - a.version)
  return (
    <>
      <div className="mb-4 max-sm:rounded-lg max-sm:border sm:overflow-x-auto"><table className="table stack" aria-label={t('doc.versions')}>
        <thead><tr><th>{t('docs.version')}</th><th>{t('docs.status')}</th><th>{t('docs.name')}</th><th>{t('doc.created')}</th><th>{t('doc.published')}</th><th><span className="sr-only">{t('doc.compare')}</span></th></tr></thead>
        <tbody>{items.map((v, i) => (
          <tr key={v.id}>
            <td className="num font-medium">{v.id === doc.id ? `v${v.version}` : <Link className="text-accent underline underline-offset-2" to={`/documents/${encodeURIComponent(v.id)}`}>v{v.version}</Link>}</td>
            <td><Status value={v.status} /></td><td className="break-words">{v.title}</td><td className="num" data-label={t('doc.created')}>{day(v.created_at)}</td><td className="num" data-label={t('doc.published')}>{day(v.published_at)}</td>
            <td className="text-right">{items[i + 1] && <Button small onClick={() => setPair({ from: items[i + 1]!.id, to: v.id })} data-compare={v.version}>{t('doc.comparewith', { v: items[i + 1]!.version })}</Button>}</td>
          </tr>
        ))}</tbody>
      </table></div>
      {pair && diff.isPending && <Loading />}
      {diff.isError && (diff.error instanceof Problem && diff.error.status === 404 ? <p className="text-sm text-ink-2">{t('doc.nodiff')}</p> : <Trouble error={diff.error} />)}
      {diff.data && <Comparison diff={diff.data} />}
    </>
  )
}
