import { Languages, Monitor, Moon, Sun } from 'lucide-react'

import { useWords } from '../i18n'
import { useTheme } from '../lib/theme'
import { Button } from './basic'

export function Seal({ size = 28 }: { size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" role="img" aria-label="Kaoju 考据" className="shrink-0">
      <rect x="1" y="1" width="30" height="30" rx="7" fill="var(--seal)" />
      <path d="M9 9.500h14M16 6v6.500M7.500 13h17M23 8.500 9 20.500M13.500 17.500h8.500l-1.200 6.600c-.2 1.200-1 1.900-2.200 1.900h-2.400M13.800 17.500l-.9 3.600h8.300" fill="none" stroke="#fff" strokeWidth="1.800" strokeLinecap="round" strokeLinejoin="round" />
    </svg>
  )
}

// Choices are the language and the theme, switched without a reload.
export function Choices({ column }: { column?: boolean }) {
  const { t, lang, setLang } = useWords()
  const [theme, setTheme] = useTheme()
  const next = theme === 'system' ? 'light' : theme === 'light' ? 'dark' : 'system'
  const icon = theme === 'system' ? Monitor : theme === 'light' ? Sun : Moon
  return (
    <div className={column ? 'flex flex-col gap-1' : 'flex gap-1'}>
      <Button look="ghost" icon={Languages} data-choice="lang" aria-label={t('switch.lang')} title={t('switch.lang')} onClick={() => setLang(lang === 'zh' ? 'en' : 'zh')} />
      <Button look="ghost" icon={icon} data-choice="theme" data-theme-is={theme} aria-label={t('switch.theme', { now: t(`theme.${theme}`) })} title={t('switch.theme', { now: t(`theme.${theme}`) })} onClick={() => setTheme(next)} />
    </div>
  )
}
