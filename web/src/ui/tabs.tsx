import { useId, type ReactNode } from 'react'

import { cx } from './basic'

export interface Tab { id: string; label: ReactNode; content: ReactNode }

// Tabs follow the keyboard pattern of tab lists: arrows move, Home and End go to the ends.
export function Tabs({ tabs, value, onChange, label }: { tabs: Tab[]; value: string; onChange: (id: string) => void; label: string }) {
  const base = useId()
  const current = tabs.find((x) => x.id === value) ?? tabs[0]!
  const move = (e: React.KeyboardEvent) => {
    const i = tabs.indexOf(current)
    const to = { ArrowRight: i + 1, ArrowLeft: i - 1, Home: 0, End: tabs.length - 1 }[e.key]
    if (to === undefined) return
    e.preventDefault()
    const next = tabs[(to + tabs.length) % tabs.length]!
    onChange(next.id)
    document.getElementById(`${base}-${next.id}`)?.focus()
  }
  return (
    <div>
      <div role="tablist" aria-label={label} onKeyDown={move} className="mb-4 flex gap-4 overflow-x-auto border-b border-line">
        {tabs.map((x) => (
          <button
            key={x.id} type="button" role="tab" id={`${base}-${x.id}`} aria-selected={x === current} aria-controls={`${base}-panel`} tabIndex={x === current ? 0 : -1}
            onClick={() => onChange(x.id)}
            className={cx('-mb-px border-b-2 px-0.5 py-2 text-sm whitespace-nowrap', x === current ? 'border-accent font-medium text-ink' : 'border-transparent text-ink-2 hover:text-ink')}
          >{x.label}</button>
        ))}
      </div>
      <div role="tabpanel" id={`${base}-panel`} aria-labelledby={`${base}-${current.id}`}>{current.content}</div>
    </div>
  )
}
