import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { Link } from 'react-router'

import { at, get } from '../api/client'
import { useErrand } from '../api/errand'
import type { Document, List, Proposal, Run } from '../api/types'
import { useWords } from '../i18n'
import { Comparison } from '../source/diff'
import { Button, Loading, Status, Trouble, cx } from '../ui/basic'
import { usePending } from './pending'

// useLeft counts down to a time. It is for the eye: what holds is decided by the server.
export function useLeft(until: string): number {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000)
    return () => clearInterval(timer)
  }, [])
  return Math.max(0, Math.round((Date.parse(until) - now) / 1000))
}

export function WaitingCard({ id }: { id: string }) {
  const p = useQuery({ queryKey: ['approvals', 'one', id], queryFn: ({ signal }) => get<Proposal>(at('approvals', id), undefined, signal), enabled: id !== '' })
  if (id === '') return null
  if (p.isPending) return <Loading />
  if (p.isError) return <Trouble error={p.error} retry={() => void p.refetch()} />
  return <ProposalCard proposal={p.data} />
}

// Concerned are the approvals that wait and are about what a conversation cites, or come from it.
export function Concerned({ runs }: { runs: Run[] }) {
  const { t } = useWords()
  const pending = usePending()
  const about = (p: Proposal) => runs.some((r) => r.run_id === p.run_id || r.run_id === p.call?.evidence_run_id || (!!p.doc_key && r.citations.some((c) => c.doc_key === p.doc_key)))
  const list = pending.data?.items.filter(about) ?? []
  if (list.length === 0) return null
  return (
    <section aria-label={t('approvals.here')} className="mx-auto max-w-[784px] space-y-3 px-4 py-5 sm:px-8">
      <h2 className="eyebrow">{t('approvals.here')}</h2>
      {list.map((p) => <ProposalCard key={p.approval_id} proposal={p} />)}
    </section>
  )
}

// usePublishedDates tells when versions of the document of an approval were published, on its own page.
function usePublishedDates(p: Proposal, enabled: boolean): (version: number) => string {
  const { t, day, lang } = useWords()
  const versions = useQuery({
    queryKey: ['versions', p.document_id], enabled: enabled && !p.withheld && p.document_id !== '' && p.from_version !== null, retry: false,
    queryFn: ({ signal }) => get<List<Document>>(at('documents', p.document_id, 'versions'), undefined, signal),
  })
  return (version) => {
    const v = versions.data?.items.find((x) => x.version === version)
    if (!v) return ''
    const said = v.published_at ? t('approvals.since', { d: day(v.published_at) }) : t('approvals.draft')
    return lang === 'zh' ? `（${said}）` : ` (${said})`
  }
}

// ProposalCard says what would happen and who decides it, and takes the decision. Nothing else on
// any screen decides.
export function ProposalCard({ proposal: p, whole }: { proposal: Proposal; whole?: boolean }) {
  const { t, date, word } = useWords()
  const cache = useQueryClient()
  const left = useLeft(p.expires_at)
  const say = useErrand()
  const decide = useMutation({
    mutationFn: (approved: boolean) => say(at('approvals', p.approval_id, 'decisions'), { approved }),
    onSettled: () => Promise.all([cache.invalidateQueries({ queryKey: ['approvals'] }), cache.invalidateQueries({ queryKey: ['runs'] }), cache.invalidateQueries({ queryKey: ['document'] }), cache.invalidateQueries({ queryKey: ['documents'] })]),
  })
  const dates = usePublishedDates(p, !!whole)
  const pending = p.status === 'pending'
  const open = pending && left > 0
  const title = p.withheld ? t('approvals.withheld') : p.kind === 'publish' ? t('approvals.publish', { title: p.title, v: p.version }) : p.kind === 'archive' ? t('approvals.archive', { title: p.title, v: p.version }) : t('approvals.call', { tool: p.call?.tool ?? '', title: p.title })
  return (
    <section className="card p-4" aria-label={title} data-approval={p.approval_id} data-status={p.status}>
      <div className="flex flex-wrap items-start gap-x-3 gap-y-1">
        <h2 className="min-w-0 flex-1 font-semibold break-words">{whole ? title : <Link className="hover:text-accent" to={`/approvals/${p.approval_id}`}>{title}</Link>}</h2>
        <Status value={p.status} />
      </div>
      {!p.withheld && (
        <p className="num mt-1 text-sm text-ink-2">
          {p.doc_key} · {p.kind === 'archive' ? t('approvals.nothing') : p.from_version !== null ? t('approvals.versions', { a: `${p.from_version}${dates(p.from_version)}`, b: `${p.version}${dates(p.version)}` }) : t('approvals.first', { b: p.version })}
        </p>
      )}
      {p.summary && p.kind !== 'archive' && !(whole && p.difference) && <p className="num mt-1 text-sm text-ink-2">{t('diff.counts', { s: p.summary.sections_added + p.summary.sections_changed + p.summary.sections_removed, a: p.summary.lines_added, r: p.summary.lines_removed, n: p.summary.numbers_changed })}{p.summary.policy_differs && <> · <span className="text-warn">{t('diff.policy')}</span></>}</p>}
      {p.call && (
        <dl className="mt-2 grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1 text-sm">
          <dt className="text-ink-3">{t('approvals.tool')}</dt><dd>{p.call.tool} · {word('sensitivity', p.call.sensitivity)}</dd>
          <dt className="text-ink-3">{t('approvals.effect')}</dt><dd>{p.call.effect === 'outside' ? t('approvals.outside', { host: p.call.host }) : t('approvals.recorded')}</dd>
          {p.call.arguments !== undefined && <><dt className="text-ink-3">{t('event.args')}</dt><dd><pre className="overflow-x-auto rounded-md bg-sunken p-2 font-mono text-xs whitespace-pre-wrap">{JSON.stringify(p.call.arguments, null, 1)}</pre></dd></>}
          <dt className="text-ink-3">{t('approvals.argshash')}</dt><dd className="font-mono text-xs break-all">{p.call.args_hash}</dd>
        </dl>
      )}
      {p.task && <p className="mt-2 text-sm">{t('approvals.task')} <Status value={p.task.status} /> {p.task.code && <span className="text-ink-2">{word('error', p.task.code)}</span>} {p.task.result_uri && <code className="text-xs break-all">{p.task.result_uri}</code>}</p>}
      {whole && p.difference && <div className="mt-4 border-t border-line pt-4"><Comparison diff={p.difference} /></div>}
      {/* However long the difference is, who decides sees how long and by what. */}
      <div className={cx('mt-3 flex flex-wrap items-center gap-2 border-t border-line pt-3', whole && 'sticky bottom-0 z-10 -mx-4 -mb-4 rounded-b-lg bg-surface px-4 pb-4')}>
        {open ? (
          <>
            <p role="timer" data-countdown className="num flex-1 text-sm text-ink-2 max-sm:basis-full">{t('approvals.left', { m: Math.floor(left / 60), s: String(left % 60).padStart(2, '0') })} · {t('approvals.who')}</p>
            <Button className="max-sm:flex-1" busy={decide.isPending} onClick={() => decide.mutate(false)} data-decline>{t('approvals.decline')}</Button>
            <Button className="max-sm:flex-1" look="primary" busy={decide.isPending} onClick={() => decide.mutate(true)} data-approve>{t('approvals.approve')}</Button>
          </>
        ) : <p className="text-sm text-ink-2">{p.decided_at ? t('approvals.decided', { d: date(p.decided_at) }) : t('approvals.over')}</p>}
      </div>
      {decide.isError && <div className="mt-2"><Trouble error={decide.error} /></div>}
    </section>
  )
}
