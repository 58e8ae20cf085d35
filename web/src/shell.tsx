import { useMutation } from '@tanstack/react-query'
import { BadgeCheck, BookOpenText, ChartNoAxesColumn, Ellipsis, FilePen, Keyboard, LogOut, MessageSquareText, ScrollText, Search, Settings, Users } from 'lucide-react'
import { useEffect, useState } from 'react'
import { NavLink, Outlet, useLocation } from 'react-router'

import { useWords } from './i18n'
import { usePending } from './screens/pending'
import { useSession } from './session'
import { cx, Loading, Trouble } from './ui/basic'
import { Dialog } from './ui/dialog'
import { MorePlaces, type Place } from './ui/more'
import { Choices, Seal } from './ui/seal'
import { Part } from './ui/part'
import { Shortcuts } from './ui/shortcuts'

const places = [
  { to: '/', icon: MessageSquareText, key: 'nav.ask', first: true },
  { to: '/documents', icon: BookOpenText, key: 'nav.documents', first: true },
  { to: '/search', icon: Search, key: 'nav.search', first: true },
  { to: '/drafts', icon: FilePen, key: 'nav.drafts' },
  { to: '/approvals', icon: BadgeCheck, key: 'nav.approvals', first: true },
  { to: '/evaluation', icon: ChartNoAxesColumn, key: 'nav.evaluation' },
  { to: '/ledger', icon: ScrollText, key: 'nav.ledger' },
  { to: '/people', icon: Users, key: 'nav.people' },
  { to: '/settings', icon: Settings, key: 'nav.settings' },
] satisfies (Place & { first?: boolean })[]

// A phone's bar has the first places, and one that opens the others.
const others = places.filter((p) => !('first' in p))

export function typing(e: KeyboardEvent): boolean {
  const el = e.target as HTMLElement | null
  return !!el?.closest('input, textarea, select, [contenteditable]') || e.ctrlKey || e.metaKey || e.altKey
}

export function Shell() {
  const { t } = useWords()
  const { me, leave } = useSession()
  const out = useMutation({ mutationFn: leave })
  const [keys, setKeys] = useState(false)
  const [more, setMore] = useState(false)
  const path = useLocation().pathname
  const waiting = usePending()
  const count = waiting.data?.items.length ?? 0
  useEffect(() => {
    const onKey = (e: KeyboardEvent) => {
      if (e.key === '?' && !typing(e)) { e.preventDefault(); setKeys(true) }
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [])
  const asking = path === '/' || path.startsWith('/ask') || path.startsWith('/runs')
  return (
    <div className="relative flex h-full flex-col-reverse overflow-hidden sm:flex-row">
      <a href="#main" className="absolute top-2 left-2 z-50 -translate-y-16 rounded-md bg-accent px-3 py-2 text-sm text-accent-ink focus:translate-y-0" onClick={(e) => { e.preventDefault(); document.getElementById('main')?.focus() }}>{t('skip')}</a>
      <nav aria-label={t('nav')} className="flex shrink-0 justify-around gap-0.5 border-t border-line bg-sunken px-1 pb-[env(safe-area-inset-bottom)] sm:w-[76px] sm:justify-start sm:flex-col sm:items-stretch sm:overflow-y-auto sm:border-t-0 sm:border-r sm:px-1.5 sm:py-3">
        <div className="mb-3 hidden justify-center sm:flex"><Seal size={30} /></div>
        {places.map(({ to, icon: Icon, key, ...p }) => (
          <NavLink
            key={to} to={to} end={to === '/'} aria-current={to === '/' && asking ? 'page' : undefined}
            className={({ isActive }) => cx(
              'relative min-h-12 min-w-0 flex-1 flex-col items-center justify-center gap-0.5 rounded-md py-1.5 text-[11px] sm:min-h-0 sm:flex-none sm:text-xs', 'first' in p ? 'flex' : 'hidden sm:flex',
              isActive || (to === '/' && asking) ? 'bg-hover font-medium text-ink' : 'text-ink-2 hover:bg-hover hover:text-ink',
            )}
          >
            <Icon size={18} strokeWidth={1.75} aria-hidden />
            <span className="max-w-full truncate text-center leading-4 sm:max-w-none sm:overflow-visible">{t(key)}</span>
            {key === 'nav.approvals' && count > 0 && (
              <span className="num absolute top-0.5 left-1/2 ml-1.5 min-w-4 rounded-full bg-accent px-1 text-center text-[11px] leading-4 font-semibold text-accent-ink">
                {count}<span className="sr-only"> {t('approvals.waiting')}</span>
              </span>
            )}
          </NavLink>
        ))}
        <button type="button" data-more-places aria-haspopup="dialog" aria-expanded={more} onClick={() => setMore(true)} className={cx('flex min-h-12 min-w-0 flex-1 flex-col items-center justify-center gap-0.5 rounded-md py-1.5 text-[11px] sm:hidden', others.some((p) => path.startsWith(p.to)) ? 'bg-hover font-medium text-ink' : 'text-ink-2')}>
          <Ellipsis size={18} strokeWidth={1.75} aria-hidden /><span className="leading-4">{t('nav.more')}</span>
        </button>
        <div className="hidden flex-1 sm:block" />
        <div className="hidden items-center gap-0.5 sm:flex sm:flex-col">
          <button type="button" title={t('keys.title')} aria-label={t('keys.title')} onClick={() => setKeys(true)} className="hidden h-8 w-8 items-center justify-center rounded-md text-ink-2 hover:bg-hover sm:flex"><Keyboard size={16} aria-hidden /></button>
          <Choices column={false} />
          <button type="button" data-leave title={t('leave', { name: me?.display_name ?? '' })} aria-label={t('leave', { name: me?.display_name ?? '' })} disabled={out.isPending} onClick={() => out.mutate()} className="flex h-8 w-8 items-center justify-center rounded-md text-ink-2 hover:bg-hover"><LogOut size={16} aria-hidden /></button>
          <span className="hidden max-w-[64px] truncate text-xs text-ink-3 sm:block" title={`${me?.user_id} · ${me?.tenant_id}`}>{me?.display_name}</span>
        </div>
      </nav>
      <div className="flex min-h-0 min-w-0 flex-1">
        <Part place={path} waiting={<div className="p-8"><Loading /></div>}><Outlet /></Part>
      </div>
      {out.isError && <Dialog title={t('leave.failed')} onClose={out.reset}><Trouble error={out.error} retry={() => out.mutate()} /></Dialog>}
      {more && <MorePlaces places={others} who={me?.display_name ?? ''} onClose={() => setMore(false)} onKeys={() => { setMore(false); setKeys(true) }} onLeave={() => { setMore(false); out.mutate() }} />}
      {keys && <Shortcuts onClose={() => setKeys(false)} />}
    </div>
  )
}
