import { createContext, useContext } from 'react'

// What is chosen on the screen: a source (and the mark that it was opened from), a sentence, or both.
export interface Choice { run: string; label: string; check: number | null }

export interface Selection {
  choice: Choice | null
  open: (run: string, label: string, from: HTMLElement | null) => void
  pick: (run: string, check: number, labels: string[]) => void
  lit: { run: string; labels: string[] } | null
}

export const SelectionContext = createContext<Selection | null>(null)

export function useSelection(): Selection {
  const s = useContext(SelectionContext)
  if (!s) throw new Error('outside of a selection')
  return s
}
