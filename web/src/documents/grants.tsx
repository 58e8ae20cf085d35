import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'

import { at, get, send } from '../api/client'
import type { Grant, KnowledgeBase } from '../api/types'
import { useWords } from '../i18n'
import { useSession } from '../session'
import { Badge, Button, Loading, Trouble } from '../ui/basic'
import { Dialog } from '../ui/dialog'

const levels = ['reader', 'editor', 'manager'] as const

// through says by which grants the person on the screen reaches a knowledge base.
export function through(grants: Grant[], me: { user_id: string; groups: string[] }): Grant[] {
  return grants.filter((g) => g.principal === 'everyone' || g.principal === `user:${me.user_id}` || me.groups.some((x) => g.principal === `group:${x}`))
}

// Grants shows and edits who may read and change a knowledge base. Members of the directory see it
// as far as the server lets them.
export function Grants({ base, onClose }: { base: KnowledgeBase; onClose: () => void }) {
  const { t, word } = useWords()
  const { me } = useSession()
  const cache = useQueryClient()
  const path = at('knowledge-bases', base.id, 'grants')
  const now = useQuery({
    queryKey: ['grants', base.id],
    queryFn: async ({ signal }) => {
      const res = await send(path, { signal })
      return { etag: res.headers.get('ETag') ?? '', ...((await res.json()) as { grants: Grant[] }) }
    },
  })
  const direct = useQuery({ queryKey: ['bases', base.id], queryFn: ({ signal }) => get<KnowledgeBase>(at('knowledge-bases', base.id), undefined, signal) })
  const [edited, setEdited] = useState<Grant[] | null>(null)
  const list = edited ?? now.data?.grants ?? []
  const manages = base.role === 'manager'
  const save = useMutation({
    mutationFn: () => send(path, { method: 'PUT', body: { grants: list.filter((g) => g.principal.trim()) }, ifMatch: now.data?.etag || undefined }),
    onSuccess: async () => { setEdited(null); await cache.invalidateQueries(); onClose() },
  })
  const publishing = useMutation({
    mutationFn: (p: string) => send(at('knowledge-bases', base.id), { method: 'PATCH', body: { publishing: p } }),
    onSettled: () => cache.invalidateQueries({ queryKey: ['bases'] }),
  })
  const set = (i: number, g: Partial<Grant>) => setEdited(list.map((x, k) => (k === i ? { ...x, ...g } : x)))
  const mine = me && now.data ? through(now.data.grants, me) : []
  return (
    <Dialog wide title={t('rights.title', { kb: base.name })} onClose={onClose} actions={manages && <><Button onClick={onClose}>{t('cancel.dialog')}</Button><Button look="primary" disabled={edited === null} busy={save.isPending} onClick={() => save.mutate()}>{t('save')}</Button></>}>
      {now.isPending && <Loading />}
      {now.isError && <Trouble error={now.error} retry={() => void now.refetch()} />}
      {mine.length > 0 && (
        <p className="mb-3 text-sm text-ink-2">{t('rights.you')} {mine.map((g) => <Badge key={g.principal + g.role} tone="accent">{t('rights.through', { p: g.principal, r: word('level', g.role) })}</Badge>)}</p>
      )}
      {now.data && (
        <table className="table">
          <thead><tr><th>{t('rights.who')}</th><th>{t('rights.level')}</th>{manages && <th><span className="sr-only">{t('remove')}</span></th>}</tr></thead>
          <tbody>
            {list.map((g, i) => (
              <tr key={i}>
                <td>{manages ? <input className="field font-mono" value={g.principal} aria-label={t('rights.who')} placeholder="group:rd" onChange={(e) => set(i, { principal: e.target.value })} /> : <code>{g.principal}</code>}</td>
                <td>{manages ? <select className="field" value={g.role} aria-label={t('rights.level')} onChange={(e) => set(i, { role: e.target.value })}>{levels.map((l) => <option key={l} value={l}>{word('level', l)}</option>)}</select> : word('level', g.role)}</td>
                {manages && <td><Button small look="danger" icon={Trash2} aria-label={t('remove')} onClick={() => setEdited(list.filter((_, k) => k !== i))} /></td>}
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {manages && <Button small look="ghost" icon={Plus} className="mt-2" onClick={() => setEdited([...list, { principal: '', role: 'reader' }])}>{t('rights.add')}</Button>}
      <p className="mt-3 text-xs text-ink-3">{t('rights.hint')}</p>
      {manages && direct.data && (
        <label className="mt-4 flex items-start gap-2 border-t border-line pt-3 text-sm">
          <input type="checkbox" className="mt-0.5 accent-accent" checked={direct.data.publishing === 'direct'} onChange={(e) => publishing.mutate(e.target.checked ? 'direct' : 'proposal')} />
          <span>{t('rights.direct')}<span className="block text-xs text-ink-3">{t('rights.directhint')}</span></span>
        </label>
      )}
      {(save.isError || publishing.isError) && <div className="mt-3"><Trouble error={save.error ?? publishing.error} kept={t('error.kept.form')} /></div>}
    </Dialog>
  )
}
