import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { X } from 'lucide-react'
import { useState } from 'react'

import { at, get } from '../api/client'
import { useErrand } from '../api/errand'
import { whole } from '../api/pages'
import type { Check, Feedback, List, Run } from '../api/types'
import { useWords } from '../i18n'
import { Badge, Button, Trouble } from '../ui/basic'
import { Mark } from './mark'
import { Passage } from './told'

// CheckCard says why a sentence got its verdict, and takes what the person thinks of it.
export function CheckCard({ run, check, onClose }: { run: Run; check: Check; onClose: () => void }) {
  const { t, word } = useWords()
  const cited = new Map(run.citations.map((c) => [c.label, c]))
  const from = cited.get(check.labels[0] ?? '')
  return (
    <div className="card my-2 p-3 text-sm">
      <div className="flex items-start gap-2">
        <p className="flex-1 font-medium">{word('verdict.long', check.verdict)}</p>
        <Button look="ghost" small icon={X} aria-label={t('close')} onClick={onClose} />
      </div>
      {check.quote && (
        <blockquote className="mt-2 border-l-2 border-accent pl-3 text-ink-2">
          <Passage text={check.quote} locator={from?.quotes.find((q) => q.text === check.quote)?.locator ?? from?.locator} excerpt={from?.excerpt} />
          {check.labels.map((l) => <Mark key={l} run={run.run_id} label={l} citation={cited.get(l)} quote={check.quote} />)}
        </blockquote>
      )}
      {check.reasons.length > 0 && (
        <ul className="mt-2 space-y-1">
          {check.reasons.map((r, i) => (
            <li key={i} className="flex flex-wrap items-baseline gap-x-2">
              <Badge tone="warn">{word('reason', r.code)}</Badge>
              <span>{r.said && <><span className="text-ink-3">{t('reason.said')}</span> {r.said}</>}{r.found && <> <span className="text-ink-3">{t('reason.found')}</span> {r.found}</>}</span>
            </li>
          ))}
        </ul>
      )}
      <p className="mt-2 text-xs text-ink-3">{t('check.by', { by: word('decided', check.decided_by.split(':')[0] ?? '') })} <code>{check.decided_by}</code></p>
      <Opinion run={run} sentence={check.sentence} />
    </div>
  )
}

const verdicts = ['correct', 'wrong', 'unclear'] as const

// Opinion is a person's mark on a sentence, or on the whole answer where the sentence is "".
export function Opinion({ run, sentence }: { run: Run; sentence: string }) {
  const { t } = useWords()
  const cache = useQueryClient()
  const given = useQuery({ queryKey: ['feedback', run.run_id], queryFn: ({ signal }) => whole((cursor) => get<List<Feedback>>(at('feedback'), { run_id: run.run_id, limit: 200, cursor }, signal)) })
  const mine = given.data?.items.find((f) => f.sentence === sentence && !f.withheld)
  const [note, setNote] = useState<string | null>(null)
  const mark = useErrand()
  const give = useMutation({
    mutationFn: (verdict: string) => mark<Feedback>(at('feedback'), { run_id: run.run_id, verdict, ...(sentence ? { sentence } : {}), ...((note ?? mine?.note) ? { note: note ?? mine?.note } : {}) }),
    onSuccess: () => { setNote(null); return cache.invalidateQueries({ queryKey: ['feedback'] }) },
  })
  return (
    <div className="mt-3 border-t border-line pt-2.5">
      <div className="flex flex-wrap items-center gap-1.5" role="group" aria-label={t('feedback.label')}>
        <span className="mr-1 text-xs text-ink-2">{t(sentence ? 'feedback.sentence' : 'feedback.answer')}</span>
        {verdicts.map((v) => (
          <Button key={v} small aria-pressed={mine?.verdict === v} look={mine?.verdict === v ? 'primary' : 'plain'} onClick={() => give.mutate(v)}>{t(`feedback.${v}`)}</Button>
        ))}
        {note === null && <Button small look="ghost" onClick={() => setNote(mine?.note ?? '')}>{t(mine?.note ? 'feedback.editnote' : 'feedback.addnote')}</Button>}
      </div>
      {note !== null && (
        <div className="mt-2">
          <textarea className="field" rows={2} maxLength={2000} aria-label={t('feedback.note')} placeholder={t('feedback.note')} value={note} onChange={(e) => setNote(e.target.value)} />
          <p className="mt-1 text-xs text-ink-3">{t('feedback.notehint')}</p>
        </div>
      )}
      {mine && note === null && <p role="status" className="mt-1.5 text-xs text-ink-3">{t('feedback.kept')}{mine.note && <> · “{mine.note}”</>}</p>}
      {give.isError && <div className="mt-2"><Trouble error={give.error} /></div>}
    </div>
  )
}
