import { createContext, useCallback, useContext, useEffect, useMemo, useState, type ReactNode } from 'react'

import type { en } from './en'

export type Key = keyof typeof en
export type Lang = 'en' | 'zh'
type Params = Record<string, string | number>

type Dictionary = Record<Key, string>

// A page loads the words of the language that it speaks, and the others when somebody switches.
const dictionaries: Record<Lang, () => Promise<Dictionary>> = {
  en: () => import('./en').then((m) => m.en),
  zh: () => import('./zh').then((m) => m.zh),
}
const stored = 'kaoju-lang'

export interface Words {
  lang: Lang
  setLang: (l: Lang) => void
  t: (key: Key, params?: Params) => string
  // word looks a key up that is made of a value of the server's; an unknown value is shown as it is.
  word: (group: string, value: string) => string
  date: (iso: string | null | undefined) => string
  day: (iso: string | null | undefined) => string
  number: (n: number) => string
}

const Context = createContext<Words | null>(null)

function first(): Lang {
  const kept = localStorage.getItem(stored)
  if (kept === 'en' || kept === 'zh') return kept
  return navigator.languages.some((l, i) => i === 0 && l.toLowerCase().startsWith('zh')) ? 'zh' : 'en'
}

export function fill(text: string, params?: Params): string {
  return params ? text.replace(/\{(\w+)\}/g, (all, name: string) => String(params[name] ?? all)) : text
}

// Spoken is a language with its words.
export interface Spoken { lang: Lang; words: Dictionary }

const speak = async (lang: Lang): Promise<Spoken> => ({ lang, words: await dictionaries[lang]() })

// begin loads the words in which the page begins.
export const begin = () => speak(first())

export function Language({ begins, children }: { begins: Spoken; children: ReactNode }) {
  const [{ lang, words: d }, set] = useState(begins)
  useEffect(() => {
    document.documentElement.lang = lang === 'zh' ? 'zh-CN' : 'en'
  }, [lang])
  // Words that can't be had leave the page in the language that it has.
  const setLang = useCallback((l: Lang) => {
    speak(l).then((s) => {
      localStorage.setItem(stored, l)
      set(s)
    }).catch(() => {})
  }, [])
  const words = useMemo<Words>(() => {
    const tag = lang === 'zh' ? 'zh-CN' : 'en-GB'
    const moment = new Intl.DateTimeFormat(tag, { dateStyle: 'medium', timeStyle: 'short' })
    const figures = new Intl.NumberFormat(tag)
    return {
      lang, setLang,
      t: (key, params) => fill(d[key], params),
      word: (group, value) => (d as Record<string, string>)[`${group}.${value}`] ?? value,
      date: (iso) => (iso ? moment.format(new Date(iso)) : '–'),
      day: (iso) => (iso ? iso.slice(0, 10) : '–'),
      number: (n) => figures.format(n),
    }
  }, [lang, d, setLang])
  return <Context value={words}>{children}</Context>
}

export function useWords(): Words {
  const w = useContext(Context)
  if (!w) throw new Error('outside of Language')
  return w
}
