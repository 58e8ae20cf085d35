import { LogOut, Monitor, Moon, Sun, Languages, Keyboard, type LucideIcon } from 'lucide-react'
import { NavLink } from 'react-router'

import { useWords, type Key } from '../i18n'
import { useTheme } from '../lib/theme'
import { cx } from './basic'
import { Dialog } from './dialog'

export interface Place { to: string; icon: LucideIcon; key: Key }

const row = 'flex min-h-11 w-full items-center gap-3 rounded-md px-2 text-left text-sm'

// MorePlaces is what a phone's bar has no room for: the further places, the language and the theme, and the way out.
export function MorePlaces({ places, who, onClose, onKeys, onLeave }: { places: readonly Place[]; who: string; onClose: () => void; onKeys: () => void; onLeave: () => void }) {
  const { t, lang, setLang } = useWords()
  const [theme, setTheme] = useTheme()
  const next = theme === 'system' ? 'light' : theme === 'light' ? 'dark' : 'system'
  const Icon = theme === 'system' ? Monitor : theme === 'light' ? Sun : Moon
  return (
    <Dialog sheet title={t('nav.more')} onClose={onClose}>
      <nav aria-label={t('nav.more')} data-more>
        {places.map(({ to, icon: Mark, key }) => (
          <NavLink key={to} to={to} onClick={onClose} className={({ isActive }) => cx(row, isActive ? 'bg-hover font-medium' : 'hover:bg-hover')}><Mark size={18} strokeWidth={1.75} className="text-ink-3" aria-hidden />{t(key)}</NavLink>
        ))}
      </nav>
      <div className="mt-2 border-t border-line pt-2">
        <button type="button" data-choice="lang" className={cx(row, 'hover:bg-hover')} onClick={() => setLang(lang === 'zh' ? 'en' : 'zh')}><Languages size={18} strokeWidth={1.75} className="text-ink-3" aria-hidden />{t('switch.lang')}</button>
        <button type="button" data-choice="theme" data-theme-is={theme} className={cx(row, 'hover:bg-hover')} onClick={() => setTheme(next)}><Icon size={18} strokeWidth={1.75} className="text-ink-3" aria-hidden />{t('switch.theme', { now: t(`theme.${theme}`) })}</button>
        <button type="button" className={cx(row, 'hover:bg-hover')} onClick={onKeys}><Keyboard size={18} strokeWidth={1.75} className="text-ink-3" aria-hidden />{t('keys.title')}</button>
        <button type="button" data-leave className={cx(row, 'hover:bg-hover')} onClick={onLeave}><LogOut size={18} strokeWidth={1.75} className="text-ink-3" aria-hidden />{t('leave', { name: who })}</button>
      </div>
    </Dialog>
  )
}
