import { useMutation } from '@tanstack/react-query'
import { BadgeCheck, BookOpenText, ChartNoAxesColumn, FilePen, Keyboard, LogOut, MessageSquareText, ScrollText, Search, Settings, Users } from 'lucide-react'
import { useEffect, useState } from 'react'
import { NavLink, Outlet, useLocation } from 'react-router'

import { useWords } from './i18n'
import { usePending } from './screens/pending'
import { useSession } from './session'
import { cx, Loading, Trouble } from './ui/basic'
import { Dialog } from './ui/dialog'
import { Choices, Seal } from './ui/seal'
import { Part } from './ui/part'
import { Shortcuts } from './ui/shortcuts'

const places = [
  { to: '/', icon: MessageSquareText, key: 'nav.ask' },
  { to: '/documents', icon: BookOpenText, key: 'nav.documents' },
  { to: '/search', icon: Search, key: 'nav.search' },
  { to: '/drafts', icon: FilePen, key: 'nav.drafts' },
  { to: '/approvals', icon: BadgeCheck, key: 'nav.approvals' },
  { to: '/evaluation', icon: ChartNoAxesColumn, key: 'nav.evaluation' },
  { to: '/ledger', icon: ScrollText, key: 'nav.ledger' },
  { to: '/people', icon: Users, key: 'nav.people' },
  { to: '/settings', icon: Settings, key: 'nav.settings' },
] as const

export function typing(e: KeyboardEvent): boolean {
  const el = e.target as HTMLElement | null
  return !!el?.closest('input, textarea, select, [contenteditable]') || e.ctrlKey || e.metaKey || e.altKey
}

export function Shell() {
  const { t } = useWords()
  const { me, leave } = useSession()
  const out = useMutation({ mutationFn: leave })
  const [keys, setKeys] = useState(false)
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
    <div className="flex h-full flex-col-reverse overflow-hidden sm:flex-row">
      <a href="#main" className="absolute top-2 left-2 z-50 -translate-y-16 rounded-md bg-accent px-3 py-2 text-sm text-accent-ink focus:translate-y-0" onClick={(e) => { e.preventDefault(); document.getElementById('main')?.focus() }}>{t('skip')}</a>
      <nav aria-label={t('nav')} className="flex shrink-0 gap-0.5 overflow-x-auto border-t border-line bg-sunken px-1.5 pb-[env(safe-area-inset-bottom)] sm:w-[76px] sm:flex-col sm:items-stretch sm:overflow-x-visible sm:overflow-y-auto sm:border-t-0 sm:border-r sm:px-1.5 sm:py-3">
        <div className="mb-3 hidden justify-center sm:flex"><Seal size={30} /></div>
        {places.map(({ to, icon: Icon, key }) => (
          <NavLink
            key={to} to={to} end={to === '/'} aria-current={to === '/' && asking ? 'page' : undefined}
            className={({ isActive }) => cx(
              'relative flex min-w-[60px] flex-col items-center gap-0.5 rounded-md px-1 py-1.5 text-xs',
              isActive || (to === '/' && asking) ? 'bg-hover font-medium text-ink' : 'text-ink-2 hover:bg-hover hover:text-ink',
            )}
          >
            <Icon size={18} strokeWidth={1.75} aria-hidden />
            <span className="text-center leading-4">{t(key)}</span>
            {key === 'nav.approvals' && count > 0 && (
              <span className="num absolute top-0.5 right-2.5 min-w-4 rounded-full bg-accent px-1 text-center text-[11px] leading-4 font-semibold text-accent-ink">
                {count}<span className="sr-only"> {t('approvals.waiting')}</span>
              </span>
            )}
          </NavLink>
        ))}
        <div className="hidden flex-1 sm:block" />
        <div className="flex items-center gap-0.5 sm:flex-col">
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
      {keys && <Shortcuts onClose={() => setKeys(false)} />}
    </div>
  )
}
