import { BookOpenText, FileCheck2, GitCompareArrows } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router'

import { useWords } from '../i18n'
import { Seal } from '../ui/seal'
import { useBases } from './scope'

// Welcome is the page before the first question. Where there is nothing to ask yet, it says how to
// begin.
export function Welcome({ composer }: { composer: ReactNode }) {
  const { t } = useWords()
  const bases = useBases()
  const nothing = bases.isSuccess && bases.data.items.length === 0
  return (
    <div className="mx-auto flex min-h-full max-w-[784px] flex-col justify-center px-4 py-10 sm:px-8">
      <div className="mb-6">
        <Seal size={36} />
        <p className="mt-4 text-xl font-semibold text-balance">{t('welcome.title')}</p>
        <p className="mt-1 max-w-[60ch] text-ink-2">{t('welcome.lead')}</p>
      </div>
      {nothing ? (
        <div className="card p-5">
          <p className="font-medium">{t('welcome.first')}</p>
          <ol className="mt-2 list-decimal space-y-1 pl-5 text-sm text-ink-2">
            <li>{t('welcome.step1')}</li><li>{t('welcome.step2')}</li><li>{t('welcome.step3')}</li>
          </ol>
          <Link to="/documents?new=1" className="mt-4 inline-flex h-8 items-center rounded-md bg-accent px-3 text-sm font-medium text-accent-ink">{t('welcome.add')}</Link>
        </div>
      ) : composer}
      <ul className="mt-8 grid gap-4 text-sm text-ink-2 sm:grid-cols-3">
        <li className="flex gap-2.5"><BookOpenText size={16} className="mt-0.5 shrink-0 text-ink-3" aria-hidden /><span>{t('welcome.point1')}</span></li>
        <li className="flex gap-2.5"><FileCheck2 size={16} className="mt-0.5 shrink-0 text-ink-3" aria-hidden /><span>{t('welcome.point2')}</span></li>
        <li className="flex gap-2.5"><GitCompareArrows size={16} className="mt-0.5 shrink-0 text-ink-3" aria-hidden /><span>{t('welcome.point3')}</span></li>
      </ul>
    </div>
  )
}
