import { ShieldAlert, ShieldCheck, ShieldQuestionMark } from 'lucide-react'

import type { Integrity } from '../api/types'
import { useWords, type Key } from '../i18n'

// Proven says whether what is shown is what the ledger tells of: it holds, it was changed since, or the
// ledger can't tell.
export function Proven({ integrity: i, broken }: { integrity: Integrity | null; broken: Key }) {
  const { t, word, lang } = useWords()
  if (!i) return null
  if (i.problems.length > 0) return <p role="alert" data-integrity="broken" className="mb-3 flex gap-2 rounded-md bg-bad-soft px-3 py-2 text-sm text-bad"><ShieldAlert size={16} aria-hidden className="mt-0.5 shrink-0" />{t(broken, { what: i.problems.join(', ') })}</p>
  if (i.verified) return <p data-integrity="verified" className="mb-3 flex gap-1.5 text-xs text-ink-3"><ShieldCheck size={14} aria-hidden className="mt-0.5 shrink-0 text-good" />{t('integrity.verified')}</p>
  const why = i.unproved.map((u) => word('unproved', u.replace(/^run\//, ''))).join(lang === 'zh' ? '；' : '; ')
  return <p data-integrity="unproved" className="mb-3 flex gap-1.5 text-xs text-ink-3"><ShieldQuestionMark size={14} aria-hidden className="mt-0.5 shrink-0" />{t('integrity.unproved', { why })}</p>
}
