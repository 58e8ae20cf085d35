import { useQuery } from '@tanstack/react-query'
import { BadgeCheck } from 'lucide-react'
import { useState } from 'react'
import { Link, useParams } from 'react-router'

import { at, get } from '../api/client'
import { usePages } from '../api/pages'
import type { Proposal } from '../api/types'
import { useWords } from '../i18n'
import { Button, Empty, Loading, More, Page, Trouble } from '../ui/basic'
import { ProposalCard } from './card'

export default function Approvals() {
  const { id } = useParams()
  return id ? <One id={id} /> : <All />
}

function One({ id }: { id: string }) {
  const { t } = useWords()
  const p = useQuery({ queryKey: ['approvals', 'one', id], queryFn: ({ signal }) => get<Proposal>(at('approvals', id), undefined, signal) })
  return (
    <Page title={t('approvals.one')} lead={<Link className="text-accent underline underline-offset-2" to="/approvals">{t('approvals.all')}</Link>}>
      {p.isPending && <Loading />}
      {p.isError && <Trouble error={p.error} retry={() => void p.refetch()} />}
      {p.data && <ProposalCard proposal={p.data} whole />}
    </Page>
  )
}

function All() {
  const { t } = useWords()
  const [status, setStatus] = useState('pending')
  const { list, items } = usePages<Proposal>(['approvals', 'list', status], at('approvals'), { status, limit: 50 }, { refetchInterval: 15_000 })
  return (
    <Page title={t('nav.approvals')} lead={t('approvals.lead')}>
      <div className="mb-4 flex gap-1.5" role="group" aria-label={t('docs.status')}>
        {(['pending', ''] as const).map((s) => <Button key={s} small aria-pressed={status === s} look={status === s ? 'primary' : 'plain'} onClick={() => setStatus(s)}>{t(s ? 'approvals.pending' : 'approvals.every')}</Button>)}
      </div>
      {list.isPending && <Loading />}
      {list.isError && <Trouble error={list.error} retry={() => void list.refetch()} />}
      {list.isSuccess && items.length === 0 && <Empty icon={BadgeCheck} title={t('approvals.none')}>{t('approvals.nonetext')}</Empty>}
      <div className="space-y-3">{items.map((p) => <ProposalCard key={p.approval_id} proposal={p} />)}</div>
      <More list={list} />
    </Page>
  )
}
