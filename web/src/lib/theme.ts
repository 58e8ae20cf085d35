import { useEffect, useState } from 'react'

export type Theme = 'system' | 'light' | 'dark'

const stored = 'kaoju-theme'
const dark = () => matchMedia('(prefers-color-scheme: dark)')

export function kept(): Theme {
  const t = localStorage.getItem(stored)
  return t === 'light' || t === 'dark' ? t : 'system'
}

export function apply(theme: Theme) {
  document.documentElement.dataset.theme = theme === 'system' ? (dark().matches ? 'dark' : 'light') : theme
}

// useTheme keeps the choice of a person, and follows the system where there is none.
export function useTheme(): [Theme, (t: Theme) => void] {
  const [theme, set] = useState<Theme>(kept)
  useEffect(() => {
    apply(theme)
    if (theme !== 'system') return
    const media = dark()
    const follow = () => apply(kept()) // it may have been chosen elsewhere on the page
    media.addEventListener('change', follow)
    return () => media.removeEventListener('change', follow)
  }, [theme])
  return [theme, (t) => {
    if (t === 'system') localStorage.removeItem(stored)
    else localStorage.setItem(stored, t)
    set(t)
  }]
}
