import { useQuery } from '@tanstack/react-query'
import { X } from 'lucide-react'
import { useEffect, useMemo, useRef, useState, type ReactNode } from 'react'
import { Link } from 'react-router'

import { at, get, Problem } from '../api/client'
import type { Check, Citation, Quote, Run, Side, Source } from '../api/types'
import { useBaseName } from '../ask/scope'
import type { Choice } from '../ask/select'
import { useWords } from '../i18n'
import { stands, where } from '../lib/text'
import { Button, Loading, Status, Trouble, cx } from '../ui/basic'
import { Proven } from '../ui/proven'
import { Context, PagePicture } from './context'
import { Drawing, isDrawing } from './drawing'
import { Fragment, Passage } from './fragment'
import { Lines } from './lines'
import { Strip, usePublished } from './strip'

// SourcePanel shows a source beside the answer: what was read, as it was stored with the answer,
// and then the document around it. On a small screen it comes up from below.
export default function SourcePanel({ choice, run, onClose }: { choice: Choice; run: Run | undefined; onClose: () => void }) {
  const { t } = useWords()
  const ref = useRef<HTMLElement>(null)
  const source = useQuery({
    queryKey: ['source', choice.run, choice.label],
    queryFn: ({ signal }) => get<Source>(at('runs', choice.run, 'sources', choice.label), undefined, signal),
    staleTime: 0, refetchInterval: 15_000, // it may be taken away while it is read
  })
  useEffect(() => { ref.current?.focus({ preventScroll: true }) }, [])
  const gone = source.error instanceof Problem && source.error.status === 404
  const citation = [...(run?.citations ?? []), ...(run?.read_not_cited ?? [])].find((c) => c.label === choice.label)
  return (
    <>
      <button type="button" tabIndex={-1} aria-hidden onClick={onClose} className="fixed inset-0 z-30 bg-[var(--scrim)] md:hidden" />
      <aside
        ref={ref} tabIndex={-1} aria-label={t('source.label', { l: choice.label })} data-source={choice.label}
        className="fixed inset-x-0 bottom-0 z-30 flex max-h-[82dvh] min-h-[50dvh] flex-col rounded-t-lg border-t border-line bg-surface outline-none md:static md:max-h-none md:w-[44%] md:max-w-[620px] md:shrink-0 md:rounded-none md:border-t-0 md:border-l"
      >
        <div className="mx-auto mt-2 h-1 w-9 rounded-full bg-line-strong md:hidden" aria-hidden />
        <header className="flex items-start gap-3 border-b border-line px-4 py-3">
          <span className="cite mt-0.5" data-current="true">{choice.label}</span>
          <div className="min-w-0 flex-1">
            {source.data ? (
              <>
                <h2 className="font-semibold">{source.data.title}</h2>
                <p className="num mt-0.5 flex flex-wrap items-center gap-x-2 gap-y-1 text-xs text-ink-2">
                  <span>v{source.data.version}</span><Status value={source.data.current.status} /><span>{where(citation?.quotes[0]?.locator ?? source.data.locator, t)}</span>
                </p>
              </>
            ) : <h2 className="font-semibold">{gone ? t('cite.gone', { l: choice.label }) : choice.label}</h2>}
          </div>
          <Button look="ghost" small icon={X} aria-label={t('close')} onClick={onClose} data-close-source />
        </header>
        {!source.data && <div className="px-4 py-4">{source.isPending && <Loading />}{source.isError && !gone && <Trouble error={source.error} retry={() => void source.refetch()} />}</div>}
          {source.data && <Opened source={source.data} citation={citation} side={run?.conflicts.flatMap((c) => c.sides).find((x) => x.label === choice.label)} checks={run?.checks.filter((c) => c.labels.includes(choice.label)) ?? []} />}
      </aside>
    </>
  )
}

function Opened({ source, citation, side, checks }: { source: Source; citation: Citation | undefined; side: Side | undefined; checks: Check[] }) {
  const { t, date } = useWords()
  const [view, setView] = useState<'excerpt' | 'document' | 'raw'>('excerpt')
  const quotes = citation?.quotes ?? none
  const base = useBaseName()({ ...source, knowledge_base: citation?.knowledge_base })
  const known = usePublished(source)
  const published = known ?? citation?.published_at ?? side?.published_at
  const spans = useMemo(() => quotes.filter((q) => stands(source.excerpt, source.span.start, q.span, q.text)).map((q) => q.span), [source, quotes])
  const text = useRef<HTMLDivElement>(null)
  useEffect(() => { text.current?.querySelector('mark')?.scrollIntoView({ block: 'center' }) }, [view])
  const broken = source.integrity.problems.length > 0
  const raw = <Lines text={source.excerpt} begins={source.span.start} spans={spans} />
  const excerpt = <Excerpt source={source}><Passage run={source.run_id} label={source.ref} spans={spans} absent={raw} /></Excerpt>
  return (
    <>
      {/* What the answer was made from, and the choice of view, stay in sight while the text moves. */}
      <div className="shrink-0 border-b border-line px-4 py-2.5">
        <Strip source={source} published={citation?.published_at ?? side?.published_at} />
        {broken && <Proven integrity={source.integrity} broken="integrity.sourcebroken" />}
        <div className="flex rounded-md border border-line-strong p-0.5 sm:inline-flex" role="group" aria-label={t('source.view')}>
        {(['excerpt', 'document', 'raw'] as const).map((v) => (
          <button key={v} type="button" aria-pressed={view === v} data-view={v} onClick={() => setView(v)} className={cx('flex-1 rounded-sm px-2.5 py-0.5 text-xs font-medium whitespace-nowrap sm:flex-none', view === v ? 'bg-hover text-ink' : 'text-ink-2 hover:text-ink')}>{t(`source.${v}`)}</button>
        ))}
        </div>
      </div>
      <div ref={text} className="relative min-h-0 flex-1 overflow-y-auto px-4 py-4" data-source-text>
      {view === 'document' ? <InDocument source={source} quotes={quotes} excerpt={excerpt} /> : view === 'excerpt' ? excerpt : <Excerpt source={source}>{raw}</Excerpt>}
      {checks.length > 0 && (
        <section className="mt-4 border-t border-line pt-3">
          <h3 className="eyebrow mb-1">{t('source.bears')}</h3>
          <ul className="space-y-1 text-sm text-ink-2">{checks.map((c, i) => <li key={i}>“{c.sentence}”</li>)}</ul>
        </section>
      )}
      <dl className="num mt-4 grid grid-cols-[auto_1fr] gap-x-4 gap-y-1 border-t border-line pt-3 text-xs text-ink-2">
        {base && <><dt className="text-ink-3">{t('source.base')}</dt><dd data-base>{base}</dd></>}
        {published && <><dt className="text-ink-3">{t('doc.published')}</dt><dd data-published>{date(published)}</dd></>}
        <dt className="text-ink-3">{t('source.readat')}</dt><dd>{date(source.read_at)}</dd>
        <dt className="text-ink-3">{t('source.key')}</dt><dd className="break-all">{source.doc_key}</dd>
        <dt className="text-ink-3">{t('source.hash')}</dt><dd className="font-mono break-all">{source.excerpt_hash}</dd>
        {source.source_uri && <><dt className="text-ink-3">{t('source.uri')}</dt><dd className="break-all">{source.source_uri}</dd></>}
      </dl>
      {!broken && <div className="mt-3"><Proven integrity={source.integrity} broken="integrity.sourcebroken" /></div>}
      <p className="mt-3 text-sm"><Link className="text-accent underline underline-offset-2" to={`/documents/${encodeURIComponent(source.document_id)}`}>{t('source.open')}</Link></p>
      </div>
    </>
  )
}

// InDocument is the document around what was read: the page of a PDF file as it is printed, a picture, a sheet of a drawing,
// and the text as the server renders it.
function InDocument({ source, quotes, excerpt }: { source: Source; quotes: Quote[]; excerpt: ReactNode }) {
  const { t } = useWords()
  const wanted = useMemo(() => (quotes.length ? quotes : [{ text: source.excerpt, span: source.span, locator: source.locator }]), [source, quotes])
  const place = quotes[0]?.locator ?? source.locator
  const page = quotes[0]?.locator.page ?? source.locator.page
  const drawn = isDrawing(place) || place.kind === 'image'
  return (
    <>
      {typeof page === 'number' && <PagePicture id={source.document_id} locator={place} page={page} alt={t('source.page', { n: page })} />}
      {place.kind === 'image' && <PagePicture id={source.document_id} locator={place} page={1} alt={t('source.picture')} />}
      {isDrawing(place) && <Drawing id={source.document_id} quotes={wanted} />}
      <Fragment id={source.document_id} quotes={wanted} calm={drawn} unplaced={excerpt} absent={<Context source={source} quotes={quotes} fallback={excerpt} />} />
    </>
  )
}

const none: Quote[] = []

// Excerpt frames what was read, and says where the document goes on beyond it.
function Excerpt({ source, children }: { source: Source; children: ReactNode }) {
  const { t } = useWords()
  return (
    <div>
      {source.truncated_before && <p className="mb-1 text-xs text-ink-3">{t('source.before')}</p>}
      <div data-excerpt className="rounded-md border border-line bg-sunken p-3 text-sm leading-6">
        {children}
      </div>
      {source.truncated_after && <p className="mt-1 text-xs text-ink-3">{t('source.after')}</p>}
    </div>
  )
}
