import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'

import { at, get } from '../api/client'
import { usePages } from '../api/pages'
import type { Document, Grant, Reader } from '../api/types'
import { useWords } from '../i18n'
import { useSession } from '../session'
import { Badge, Button, Loading, More, Trouble } from '../ui/basic'

// Readers say who may read a version and why: the person's own grounds to everybody, the grants to those
// who make them, and to administrators the list of readers and the grounds of any one name.
export function Readers({ doc, manages }: { doc: Document; manages: boolean }) {
  const { t } = useWords()
  const administers = useSession().may('tenant_admin')
  const policy = doc.access_policy
  return (
    <div className="max-w-[80ch] space-y-6 text-sm">
      <Own doc={doc.id} />
      {manages && <Granted base={doc.knowledge_base_id} />}
      {administers && <Asked doc={doc.id} />}
      {administers && <All doc={doc.id} />}
      <section>
        <h2 className="eyebrow mb-1">{t('rights.policy')}</h2>
        <p className="text-ink-2">{policy === undefined ? t('rights.policyhidden') : policy === 'inherit' ? t('rights.inherit') : t('rights.narrowed')}</p>
        {policy !== undefined && policy !== 'inherit' && <pre className="mt-1 overflow-x-auto rounded-md bg-sunken p-2 font-mono text-xs">{JSON.stringify(policy, null, 2)}</pre>}
      </section>
    </div>
  )
}

const useReader = (doc: string, user: string) => useQuery({
  queryKey: ['readers', doc, 'one', user], enabled: user !== '',
  queryFn: ({ signal }) => get<Reader>(at('documents', doc, 'readers', user), undefined, signal),
})

function Own({ doc }: { doc: string }) {
  const { t } = useWords()
  const { me } = useSession()
  const own = useReader(doc, me?.user_id ?? '')
  return (
    <section data-reader="own">
      <h2 className="eyebrow mb-1">{t('readers.you')}</h2>
      {own.isPending && <Loading />}
      {own.isError && <Trouble error={own.error} retry={() => void own.refetch()} />}
      {own.data && <><p className="font-medium">{t(own.data.may_read ? 'readers.youmay' : 'readers.youmaynot')}</p><Grounds reader={own.data} /></>}
    </section>
  )
}

// Granted are the grants of the knowledge base. Who is in a group is for administrators of people.
function Granted({ base }: { base: string }) {
  const { t, word } = useWords()
  const grants = useQuery({ queryKey: ['grants', base, 'list'], queryFn: ({ signal }) => get<{ grants: Grant[] }>(at('knowledge-bases', base, 'grants'), undefined, signal) })
  return (
    <section data-reader="grants">
      <h2 className="eyebrow mb-1">{t('readers.grants')}</h2>
      {grants.isPending && <Loading />}
      {grants.isError && <Trouble error={grants.error} retry={() => void grants.refetch()} />}
      {grants.data && <div className="card overflow-x-auto"><table className="table" aria-label={t('readers.grants')}><thead><tr><th>{t('rights.who')}</th><th>{t('rights.level')}</th></tr></thead><tbody>{grants.data.grants.map((g) => <tr key={g.principal + g.role}><td><code>{g.principal}</code></td><td>{word('level', g.role)}</td></tr>)}</tbody></table></div>}
    </section>
  )
}

// Asked answers for one name. Of a name that nobody has it says what the server says.
function Asked({ doc }: { doc: string }) {
  const { t } = useWords()
  const [name, setName] = useState('')
  const [asked, setAsked] = useState('')
  const one = useReader(doc, asked)
  const r = one.data
  return (
    <section data-reader="asked">
      <h2 className="eyebrow mb-1">{t('readers.ask')}</h2>
      <form className="flex flex-wrap items-end gap-2" onSubmit={(e) => { e.preventDefault(); if (asked === name.trim()) void one.refetch(); else setAsked(name.trim()) }}>
        {/* A name of dots alone would be a step in the address, and is nobody's. */}
        <input className="field max-w-[260px] font-mono" aria-label={t('readers.name')} placeholder={t('readers.name')} value={name} onChange={(e) => setName(e.target.value)} required pattern=".*[^.\s].*" autoComplete="off" spellCheck={false} />
        <Button type="submit" disabled={!name.trim()} busy={one.isFetching}>{t('readers.go')}</Button>
      </form>
      <div role="status" className="mt-2">
        {r && <><p className="font-medium">{r.may_read ? t('readers.may', { name: r.display_name || r.user_id }) : t('readers.maynot', { name: r.user_id })}</p><Grounds reader={r} /></>}
      </div>
      {one.isError && <Trouble error={one.error} retry={() => void one.refetch()} />}
    </section>
  )
}

// All are those who may read, by the server's order. A page may hold nobody and still have a next one.
function All({ doc }: { doc: string }) {
  const { t } = useWords()
  const { list, items } = usePages<Reader>(['readers', doc, 'all'], at('documents', doc, 'readers'), { limit: 50 })
  return (
    <section data-reader="all">
      <h2 className="eyebrow mb-1">{t('readers.all')}</h2>
      {list.isPending && <Loading />}
      {list.isError && <Trouble error={list.error} retry={() => void list.refetch()} />}
      {list.isSuccess && items.length === 0 && !list.hasNextPage && <p className="text-ink-2">{t('readers.none')}</p>}
      {items.length > 0 && (
        <ul className="card divide-y divide-line">
          {items.map((r) => (
            <li key={r.user_id} data-user={r.user_id} className="px-3 py-2">
              <p><span className="font-medium">{r.display_name || r.user_id}</span> <code className="text-xs text-ink-3">{r.user_id}</code> {r.service && <Badge>{t('people.service')}</Badge>}</p>
              <Grounds reader={r} />
            </li>
          ))}
        </ul>
      )}
      <More list={list} />
    </section>
  )
}

// Grounds are what lets somebody read or keeps them from it: the first obstacle, each grant as it is held,
// and what the document's own policy says of the person.
function Grounds({ reader: r }: { reader: Reader }) {
  const { t, word } = useWords()
  return (
    <ul className="mt-0.5 space-y-0.5 text-ink-2">
      {r.obstacle && <li className="text-warn">{word('obstacle', r.obstacle)}</li>}
      {r.grants.map((g) => <li key={g.principal + g.role}><Through principal={g.principal} role={g.role} /></li>)}
      {r.grants.length > 1 && <li>{t('readers.level', { r: word('role', r.level) })}</li>}
      <li>{word('ruling', r.policy)}{r.policy_principals.length > 0 && <> <code className="text-xs">{r.policy_principals.join(', ')}</code></>}</li>
    </ul>
  )
}

// Through says by which grant somebody reaches a knowledge base.
function Through({ principal, role }: { principal: string; role: string }) {
  const { t, word } = useWords()
  const r = word('role', role)
  const group = /^group:(.+)$/.exec(principal)?.[1]
  if (group !== undefined) return <>{t('readers.group', { g: group, r })}</>
  return <>{principal === 'everyone' ? t('readers.everyone', { r }) : t('readers.self', { r })}</>
}
