import { useMutation } from '@tanstack/react-query'
import { ArrowUp, CalendarRange } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'

import { at } from '../api/client'
import { useErrand } from '../api/errand'
import type { RunRequest } from '../api/types'
import { useWords } from '../i18n'
import { useSession } from '../session'
import { typing } from '../shell'
import { Button, Field, Trouble } from '../ui/basic'
import { goes, useBases, useSystem } from './scope'

export interface Bounds { from: string; to: string; asOf: string; key: string }

// Composer asks. The line below it says what the question will be under before it is asked.
export function Composer({ conversation, chosen, onStarted, big }: {
  conversation: string | undefined; chosen: string[] | null; onStarted: (run: string) => void; big?: boolean
}) {
  const w = useWords()
  const { t } = w
  const { may } = useSession()
  const [question, setQuestion] = useState('')
  const [kind, setKind] = useState<'answer' | 'draft'>('answer')
  const [bounds, setBounds] = useState<Bounds>({ from: '', to: '', asOf: '', key: '' })
  const [more, setMore] = useState(false)
  const ref = useRef<HTMLTextAreaElement>(null)
  const start = useErrand()
  const bases = useBases()
  const system = useSystem()
  const ask = useMutation({
    mutationFn: () => {
      const body: RunRequest = { kind, goal: question.trim() }
      if (conversation) body.conversation_id = conversation
      if (chosen) body.knowledge_base_ids = chosen
      if (bounds.from) body.updated_from = bounds.from
      if (bounds.to) body.updated_to = bounds.to
      if (bounds.asOf) body.as_of = bounds.asOf
      if (bounds.key) body.doc_key = bounds.key
      return start<{ run_id: string }>(at('runs'), body)
    },
    onSuccess: (r) => {
      setQuestion('')
      onStarted(r.run_id)
    },
  })
  useEffect(() => {
    const onKey = (e: KeyboardEvent) => {
      if (e.key === '/' && !typing(e)) { e.preventDefault(); ref.current?.focus() }
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [])
  const none = chosen !== null && chosen.length === 0
  const ready = question.trim() !== '' && !none && !ask.isPending
  const submit = () => { if (ready) ask.mutate() }
  const names = (bases.data?.items ?? []).filter((b) => chosen === null || chosen.includes(b.id)).map((b) => b.name)
  return (
    <form aria-label={t('ask.form')} onSubmit={(e) => { e.preventDefault(); submit() }} className="mx-auto w-full max-w-[720px]">
      <div className="rounded-lg border border-line-strong bg-surface focus-within:border-accent">
        <textarea
          ref={ref} rows={big ? 3 : 1} value={question} maxLength={8000} autoFocus={big}
          onChange={(e) => setQuestion(e.target.value)} aria-label={t('ask.label')} placeholder={t(conversation ? 'ask.more' : 'ask.placeholder')}
          className="block max-h-48 min-h-11 w-full resize-none [field-sizing:content] bg-transparent px-3.5 pt-3 text-base outline-none"
          onKeyDown={(e) => {
            if (e.key === 'Enter' && !e.shiftKey && !e.nativeEvent.isComposing) { e.preventDefault(); submit() }
          }}
        />
        {more && (
          <div className="grid gap-3 border-t border-line px-3.5 py-3 sm:grid-cols-2">
            <Field label={t('ask.from')}><input className="field num" type="date" value={bounds.from} onChange={(e) => setBounds({ ...bounds, from: e.target.value })} /></Field>
            <Field label={t('ask.to')}><input className="field num" type="date" value={bounds.to} onChange={(e) => setBounds({ ...bounds, to: e.target.value })} /></Field>
            <Field label={t('ask.key')}><input className="field" value={bounds.key} onChange={(e) => setBounds({ ...bounds, key: e.target.value })} placeholder="travel-policy" /></Field>
            {may('knowledge_admin') && <Field label={t('ask.asof')} hint={t('ask.asofhint')}><input className="field num" type="date" value={bounds.asOf} onChange={(e) => setBounds({ ...bounds, asOf: e.target.value })} /></Field>}
          </div>
        )}
        <div className="flex items-center gap-2 px-2 pb-2">
          <Button small look="ghost" icon={CalendarRange} aria-expanded={more} onClick={() => setMore(!more)}><span className="max-[400px]:sr-only">{t('ask.limits')}</span></Button>
          <label className="flex items-center gap-1.5 text-xs whitespace-nowrap text-ink-2">
            <input type="checkbox" className="accent-accent" checked={kind === 'draft'} onChange={(e) => setKind(e.target.checked ? 'draft' : 'answer')} />{t('ask.draft')}
          </label>
          <span className="flex-1" />
          <Button type="submit" look="primary" small icon={ArrowUp} busy={ask.isPending} disabled={!ready}>{t('ask.go')}</Button>
        </div>
      </div>
      {ask.isError && <div className="mt-2"><Trouble error={ask.error} kept={t('error.kept.question')} /></div>}
      <p data-scope-line className="num mt-1.5 flex flex-wrap gap-x-2 px-1 text-xs text-ink-3">
        <span>{none ? t('scope.none') : names.join(w.lang === 'zh' ? '、' : ', ') || t('scope.nobase')}</span><span aria-hidden>·</span>
        <span>{bounds.from || bounds.to ? t('scope.dates', { a: bounds.from || '…', b: bounds.to || '…' }) : t('scope.anydate')}</span><span aria-hidden>·</span>
        <span>{bounds.asOf ? t('scope.asof', { d: bounds.asOf }) : t('scope.current')}</span><span aria-hidden>·</span>
        <span>{system.data ? goes(system.data.model, w) : '…'}</span>
        {system.data && <><span aria-hidden>·</span><span>{t('scope.limits', { s: system.data.policy.limits.search_pages, d: system.data.policy.limits.documents, c: w.number(system.data.policy.limits.documents * system.data.policy.limits.document_text) })}</span></>}
      </p>
    </form>
  )
}
