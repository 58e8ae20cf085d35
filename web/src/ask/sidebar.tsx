import { MessageSquarePlus } from 'lucide-react'
import { Link } from 'react-router'

import { at } from '../api/client'
import { usePages } from '../api/pages'
import type { Conversation } from '../api/types'
import { useWords } from '../i18n'
import { cx, Loading, More, Trouble } from '../ui/basic'
import { useBases } from './scope'

// Sidebar holds the knowledge bases with a tick each, and the conversations.
export function Sidebar({ conversation, chosen, setChosen }: { conversation: string | undefined; chosen: string[] | null; setChosen: (c: string[] | null) => void }) {
  const { t, day } = useWords()
  const bases = useBases()
  const { list: talks, items } = usePages<Conversation>(['conversations'], at('conversations'), { limit: 100 })
  const all = bases.data?.items ?? []
  const tick = (id: string, on: boolean) => {
    const now = chosen ?? all.map((b) => b.id)
    const next = on ? [...now, id] : now.filter((x) => x !== id)
    setChosen(next.length === all.length ? null : next)
  }
  return (
    <div className="flex h-full flex-col">
      <div className="p-3">
        <Link to="/" className="flex h-8 items-center justify-center gap-1.5 rounded-md border border-line-strong bg-surface text-sm font-medium hover:bg-hover"><MessageSquarePlus size={15} aria-hidden />{t('ask.new')}</Link>
      </div>
      <fieldset className="px-3 pb-3">
        <legend className="eyebrow mb-1 px-1">{t('bases.title')}</legend>
        {bases.isError && <Trouble error={bases.error} retry={() => void bases.refetch()} />}
        {all.map((b) => (
          <label key={b.id} className="flex items-start gap-2 rounded-md px-1 py-1 text-sm hover:bg-hover">
            <input type="checkbox" className="mt-1 accent-accent" checked={chosen === null || chosen.includes(b.id)} onChange={(e) => tick(b.id, e.target.checked)} />
            <span className="min-w-0 flex-1 truncate">{b.name}</span>
          </label>
        ))}
        {bases.isSuccess && all.length === 0 && <p className="px-1 text-xs text-ink-3">{t('bases.none')}</p>}
      </fieldset>
      <nav aria-label={t('talks.title')} className="relative min-h-0 flex-1 overflow-y-auto border-t border-line px-3 py-3">
        <h2 className="eyebrow mb-1 px-1">{t('talks.title')}</h2>
        {talks.isPending && <Loading />}
        {talks.isError && <Trouble error={talks.error} retry={() => void talks.refetch()} />}
        {talks.isSuccess && items.length === 0 && <p className="px-1 text-xs text-ink-3">{t('talks.none')}</p>}
        {items.map((c) => (
          <Link
            key={c.conversation_id} to={`/ask/${encodeURIComponent(c.conversation_id)}`} aria-current={c.conversation_id === conversation ? 'page' : undefined}
            className={cx('block rounded-md px-2 py-1.5 text-sm hover:bg-hover', c.conversation_id === conversation && 'bg-hover')}
          >
            <span className="line-clamp-2">{c.title}</span>
            <span className="num block text-xs text-ink-3">{day(c.updated_at)} · {t('talks.runs', { n: c.runs })}</span>
          </Link>
        ))}
        <More list={talks} />
      </nav>
    </div>
  )
}
