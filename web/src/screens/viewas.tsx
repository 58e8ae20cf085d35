import { useQuery } from '@tanstack/react-query'
import { Eye, EyeOff } from 'lucide-react'
import { useId, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'

import { at, get } from '../api/client'
import { whole } from '../api/pages'
import type { List, User } from '../api/types'
import { useWords } from '../i18n'
import { useSession } from '../session'
import { Button } from '../ui/basic'

const parameter = 'view_as'

export interface ViewAs { as: string; look: (user: string) => void }

// useViewAs is whom an administrator looks as, kept in the address; "" is oneself. To whoever is no
// administrator the parameter means nothing, as it would to the server.
export function useViewAs(): ViewAs {
  const { may } = useSession()
  const place = useLocation()
  const navigate = useNavigate()
  const query = new URLSearchParams(place.search)
  return {
    as: may('tenant_admin') ? query.get(parameter) ?? '' : '',
    look: (user) => {
      if (user) query.set(parameter, user)
      else query.delete(parameter)
      void navigate({ search: query.toString(), hash: place.hash })
    },
  }
}

// kept are the parameters of another choice on the same screen, with whom it is looked as.
export const kept = (as: string, rest: Record<string, string>) => (as ? { ...rest, [parameter]: as } : rest)

const useUsers = (enabled: boolean) => useQuery({
  queryKey: ['users', 'whole'], enabled, staleTime: 30_000,
  queryFn: ({ signal }) => whole((cursor) => get<List<User>>(at('users'), { limit: 200, cursor }, signal)),
})

// ViewAsBar chooses whom to look as, and says all the while that this is no view of one's own.
export function ViewAsBar({ view }: { view: ViewAs }) {
  const { t } = useWords()
  const { me, may } = useSession()
  const admin = may('tenant_admin')
  const users = useUsers(admin)
  const [name, setName] = useState('')
  const list = useId()
  if (!admin) return null
  const all = users.data?.items ?? []
  if (view.as) {
    const shown = all.find((u) => u.id === view.as)?.display_name
    return (
      <div role="status" data-view-as={view.as} className="sticky top-0 z-20 mb-4 flex flex-wrap items-center gap-x-4 gap-y-2 rounded-md border border-accent-line bg-accent-soft px-3 py-2 text-sm text-accent">
        <Eye size={16} aria-hidden className="shrink-0" />
        <p className="min-w-0 flex-1">{t('viewas.banner', { name: shown ? `${shown} (${view.as})` : view.as })}</p>
        <Button small icon={EyeOff} onClick={() => view.look('')} data-view-as-end>{t('viewas.end')}</Button>
      </div>
    )
  }
  return (
    <form data-view-as-form className="mb-4 flex flex-wrap items-center gap-2" onSubmit={(e) => { e.preventDefault(); view.look(name.trim()) }}>
      <input className="field max-w-[220px]" list={list} aria-label={t('viewas.who')} placeholder={t('viewas.who')} value={name} onChange={(e) => setName(e.target.value)} required autoComplete="off" spellCheck={false} />
      <datalist id={list}>{all.filter((u) => u.id !== me?.user_id && !u.suspended).map((u) => <option key={u.id} value={u.id}>{u.display_name}</option>)}</datalist>
      <Button type="submit" icon={Eye} disabled={!name.trim()}>{t('viewas.go')}</Button>
    </form>
  )
}
