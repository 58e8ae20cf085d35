import { useEffect } from 'react'
import { Link } from 'react-router'

import type { Run } from '../api/types'
import { useWords } from '../i18n'
import { Concerned } from '../screens/card'
import { Turn } from './turn'

// Talk is a conversation, or one of its answers alone. It is no part of the first screen, which has
// nothing but the box for a question.
export default function Talk({ runs, conversation, alone }: { runs: Run[]; conversation: string | undefined; alone: boolean }) {
  const { t } = useWords()
  const count = runs.length
  useEffect(() => {
    if (count > 1 && !alone) document.getElementById('end')?.scrollIntoView({ block: 'end' })
  }, [count, alone])
  return (
    <>
      {runs.map((r) => <Turn key={r.run_id} run={r} alone={alone} />)}
      <Concerned runs={runs} />
      {alone && conversation && <p className="mx-auto max-w-[720px] px-4 pb-8 text-sm sm:px-8"><Link className="text-accent underline underline-offset-2" to={`/ask/${encodeURIComponent(conversation)}`}>{t('talks.whole')}</Link></p>}
      <div id="end" />
    </>
  )
}
