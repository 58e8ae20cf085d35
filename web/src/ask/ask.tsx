import { useQuery, useQueryClient } from '@tanstack/react-query'
import { PanelLeft } from 'lucide-react'
import { lazy, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { useNavigate, useParams } from 'react-router'

import { at, get } from '../api/client'
import { whole } from '../api/pages'
import type { List, Run } from '../api/types'
import { useWords } from '../i18n'
import { typing } from '../shell'
import { Button, Loading, Trouble } from '../ui/basic'
import { Part } from '../ui/part'
import { Composer } from './composer'
import { arrived, over, recheck } from './live'
import { SelectionContext, type Choice, type Selection } from './select'
import { Sidebar } from './sidebar'
import { Welcome } from './welcome'

const parts = { talk: () => import('./talk'), panel: () => import('../source/panel') }
const Talk = lazy(parts.talk)
const SourcePanel = lazy(parts.panel)

// soon fetches what the next steps need once the first screen stands, so that nobody waits for it then.
// What fails here is told where it is needed.
function soon() {
  const fetch = () => { for (const part of Object.values(parts)) part().catch(() => {}) }
  if ('requestIdleCallback' in window) requestIdleCallback(fetch)
  else setTimeout(fetch, 200)
}

// Ask is the main screen: conversations and scope on the left, the answers in the middle, the
// source on the right, or as a sheet from below on a small screen.
export function Ask() {
  const { t } = useWords()
  const { conversation: named, run: one } = useParams()
  const navigate = useNavigate()
  const cache = useQueryClient()
  const [chosen, setChosen] = useState<string[] | null>(null)
  const [drawer, setDrawer] = useState(false)
  const single = useQuery({ queryKey: ['runs', 'one', one], queryFn: ({ signal }) => get<Run>(at('runs', one!), undefined, signal), enabled: !!one, refetchInterval: (q) => recheck(q.state.data ? [q.state.data] : []) })
  const talk = useQuery({
    queryKey: ['runs', 'of', named],
    queryFn: ({ signal }) => whole((cursor) => get<List<Run>>(at('runs'), { conversation_id: named, limit: 200, cursor }, signal)),
    enabled: !!named, refetchInterval: (q) => recheck(q.state.data?.items ?? []),
  })
  const runs = useMemo(() => {
    if (one) return single.data ? [single.data] : []
    return [...(named ? talk.data?.items ?? [] : [])].sort((a, b) => a.created_at.localeCompare(b.created_at))
  }, [one, named, single.data, talk.data])
  const conversation = named ?? single.data?.conversation_id
  const { selection, panel, close } = useChoice(runs)
  const busy = runs.some((r) => !over(r.state))
  useEffect(soon, [])
  useEffect(() => { setDrawer(false); document.title = `${runs[0]?.goal.slice(0, 60) ?? t('nav.ask')} · Kaoju 考据` }, [conversation, runs, t])
  useEffect(() => {
    const onKey = (e: KeyboardEvent) => { if (e.key === 'n' && !typing(e)) void navigate('/') }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [navigate])

  const started = async (run: string) => {
    const r = await arrived(run)
    // It is under way in the server: its own page tells what keeps it from being shown, and tries again.
    if (!r) return navigate(`/runs/${encodeURIComponent(run)}`)
    cache.setQueryData<List<Run>>(['runs', 'of', r.conversation_id], (old) => ({ items: [r, ...(old?.items ?? []).filter((x) => x.run_id !== run)], next_cursor: null }))
    void cache.invalidateQueries({ queryKey: ['conversations'] })
    if (r.conversation_id !== named) void navigate(`/ask/${encodeURIComponent(r.conversation_id)}`)
    else void talk.refetch()
  }
  const asked = one ? single : talk
  const fresh = !one && !named
  return (
    <SelectionContext value={selection}>
      <div className="flex min-h-0 min-w-0 flex-1">
        <aside aria-label={t('ask.side')} className={`${drawer ? 'fixed inset-y-0 left-0 z-30 w-[270px] border-r border-line' : 'hidden'} bg-sunken lg:static lg:block lg:w-[240px] lg:shrink-0 lg:border-r lg:border-line`}>
          <Sidebar conversation={conversation} chosen={chosen} setChosen={setChosen} />
        </aside>
        {drawer && <button type="button" aria-label={t('close')} className="fixed inset-0 z-20 bg-[var(--scrim)] lg:hidden" onClick={() => setDrawer(false)} />}
        <main id="main" tabIndex={-1} className="flex min-w-0 flex-1 flex-col outline-none">
          <div className="flex items-center gap-2 border-b border-line px-2 py-1.5 lg:hidden">
            <Button look="ghost" icon={PanelLeft} aria-label={t('ask.side')} onClick={() => setDrawer(true)} />
            <span className="truncate text-sm font-medium">{runs[0]?.goal ?? t('ask.new')}</span>
          </div>
          <div className="relative min-h-0 flex-1 overflow-y-auto" aria-live="off">
            <h1 className="sr-only">{t('nav.ask')}</h1>
            {fresh ? <Welcome composer={<Composer big conversation={undefined} chosen={chosen} onStarted={(r) => void started(r)} />} /> : (
              <>
                {asked.isPending && <div className="px-8 py-6"><Loading /></div>}
                {asked.isError && <div className="mx-auto max-w-[720px] px-4 py-8"><Trouble error={asked.error} retry={() => void asked.refetch()} /></div>}
                {asked.isSuccess && runs.length === 0 && <p className="px-8 py-8 text-sm text-ink-2">{t('talks.empty')}</p>}
                <Part waiting={<div className="px-8 py-6"><Loading /></div>}><Talk runs={runs} conversation={conversation} alone={!!one} /></Part>
              </>
            )}
          </div>
          {!fresh && !one && asked.isSuccess && <div className="border-t border-line bg-bg px-4 py-3 sm:px-8" data-busy={busy || undefined}><Composer conversation={conversation} chosen={chosen} onStarted={(r) => void started(r)} /></div>}
        </main>
        {panel && <Part waiting={null}><SourcePanel key={`${panel.run}-${panel.label}`} choice={panel} run={runs.find((r) => r.run_id === panel.run)} onClose={close} /></Part>}
      </div>
    </SelectionContext>
  )
}

// useChoice keeps what is chosen, brings the focus back to where a source was opened from, and lets
// j and k walk from mark to mark.
function useChoice(runs: Run[]): { selection: Selection; panel: Choice | null; close: () => void } {
  const [choice, setChoice] = useState<Choice | null>(null)
  const [panel, setPanel] = useState<Choice | null>(null)
  const from = useRef<HTMLElement | null>(null)
  const close = useCallback(() => {
    setPanel(null)
    setChoice(null)
    from.current?.focus()
  }, [])
  useEffect(() => {
    const onKey = (e: KeyboardEvent) => {
      if (e.key === 'Escape' && panel && !document.querySelector('dialog[open]')) { e.preventDefault(); close(); return }
      if ((e.key !== 'j' && e.key !== 'k') || typing(e)) return
      const marks = [...document.querySelectorAll<HTMLElement>('[data-cite]')]
      if (marks.length === 0) return
      e.preventDefault()
      const now = marks.indexOf((document.activeElement as HTMLElement) ?? from.current!)
      const at = now < 0 && from.current ? marks.indexOf(from.current) : now
      const to = at < 0 ? (e.key === 'j' ? 0 : marks.length - 1) : (at + (e.key === 'j' ? 1 : -1) + marks.length) % marks.length
      const mark = marks[to]!
      mark.focus()
      mark.scrollIntoView({ block: 'nearest' })
      if (panel) mark.click()
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [panel, close])
  const selection = useMemo<Selection>(() => {
    const run = choice && runs.find((r) => r.run_id === choice.run)
    const labels = choice?.check != null ? run?.checks[choice.check]?.labels ?? [] : []
    return {
      choice,
      lit: choice?.check != null ? { run: choice.run, labels } : null,
      open: (r, label, el) => {
        from.current = el
        const c = { run: r, label, check: null }
        setChoice(c)
        setPanel(c)
      },
      pick: (r, check) => setChoice({ run: r, label: '', check }),
    }
  }, [choice, runs])
  return { selection, panel, close }
}
