import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'

import { at, get, send } from '../api/client'
import type { Grant, KnowledgeBase } from '../api/types'
import { useWords } from '../i18n'
import { Button, Loading, Trouble } from '../ui/basic'
import { Dialog } from '../ui/dialog'

const levels = ['reader', 'editor', 'manager'] as const

// Grants shows and edits who may read and change a knowledge base, to those who manage it.
export function Grants({ base, onClose }: { base: KnowledgeBase; onClose: () => void }) {
  const { t, word } = useWords()
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
  const save = useMutation({
    mutationFn: () => send(path, { method: 'PUT', body: { grants: list.filter((g) => g.principal.trim()) }, ifMatch: now.data?.etag || undefined }),
    onSuccess: async () => { setEdited(null); await cache.invalidateQueries(); onClose() },
  })
  const publishing = useMutation({
    mutationFn: (p: string) => send(at('knowledge-bases', base.id), { method: 'PATCH', body: { publishing: p } }),
    onSettled: () => cache.invalidateQueries({ queryKey: ['bases'] }),
  })
  const set = (i: number, g: Partial<Grant>) => setEdited(list.map((x, k) => (k === i ? { ...x, ...g } : x)))
  return (
    <Dialog wide title={t('rights.title', { kb: base.name })} onClose={onClose} actions={<><Button onClick={onClose}>{t('cancel.dialog')}</Button><Button look="primary" disabled={edited === null} busy={save.isPending} onClick={() => save.mutate()}>{t('save')}</Button></>}>
      {now.isPending && <Loading />}
      {now.isError && <Trouble error={now.error} retry={() => void now.refetch()} />}
      {now.data && (
        <table className="table" aria-label={t('rights.title', { kb: base.name })}>
          <thead><tr><th>{t('rights.who')}</th><th>{t('rights.level')}</th><th><span className="sr-only">{t('remove')}</span></th></tr></thead>
          <tbody>
            {list.map((g, i) => (
              <tr key={i}>
                <td><input className="field font-mono" value={g.principal} aria-label={t('rights.who')} placeholder="group:rd" onChange={(e) => set(i, { principal: e.target.value })} /></td>
                <td><select className="field" value={g.role} aria-label={t('rights.level')} onChange={(e) => set(i, { role: e.target.value })}>{levels.map((l) => <option key={l} value={l}>{word('level', l)}</option>)}</select></td>
                <td><Button small look="danger" icon={Trash2} aria-label={t('remove')} onClick={() => setEdited(list.filter((_, k) => k !== i))} /></td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {now.data && <Button small look="ghost" icon={Plus} className="mt-2" onClick={() => setEdited([...list, { principal: '', role: 'reader' }])}>{t('rights.add')}</Button>}
      <p className="mt-3 text-xs text-ink-3">{t('rights.hint')}</p>
      {direct.data && (
        <label className="mt-4 flex items-start gap-2 border-t border-line pt-3 text-sm">
          <input type="checkbox" className="mt-0.5 accent-accent" checked={direct.data.publishing === 'direct'} onChange={(e) => publishing.mutate(e.target.checked ? 'direct' : 'proposal')} />
          <span>{t('rights.direct')}<span className="block text-xs text-ink-3">{t('rights.directhint')}</span></span>
        </label>
      )}
      {(save.isError || publishing.isError) && <div className="mt-3"><Trouble error={save.error ?? publishing.error} kept={t('error.kept.form')} /></div>}
    </Dialog>
  )
}
