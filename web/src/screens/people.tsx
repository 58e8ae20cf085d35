import { useMutation, useQueryClient } from '@tanstack/react-query'
import { KeyRound, Plus, Trash2 } from 'lucide-react'
import { useState, type FormEvent } from 'react'

import { at, change, post } from '../api/client'
import { useErrand } from '../api/errand'
import { usePages } from '../api/pages'
import type { Group, Token, User } from '../api/types'
import { useWords } from '../i18n'
import { copy } from '../lib/copy'
import { useSession } from '../session'
import { Badge, Button, Empty, Field, Loading, More, Page, Trouble } from '../ui/basic'
import { Dialog } from '../ui/dialog'
import { Sure } from '../ui/sure'
import { Tabs } from '../ui/tabs'

export default function People() {
  const { t } = useWords()
  const { may } = useSession()
  const admin = may('tenant_admin')
  const [tab, setTab] = useState(admin ? 'users' : 'tokens')
  const tabs = [
    ...(admin ? [{ id: 'users', label: t('people.users'), content: <Users /> }, { id: 'groups', label: t('people.groups'), content: <Groups /> }] : []),
    { id: 'tokens', label: t('people.tokens'), content: <Tokens /> },
    { id: 'me', label: t('people.me'), content: <Self /> },
  ]
  return <Page title={t('nav.people')} lead={t(admin ? 'people.lead' : 'people.leadown')}><Tabs label={t('nav.people')} tabs={tabs} value={tab} onChange={setTab} /></Page>
}

const roles = ['member', 'knowledge_admin', 'auditor', 'tenant_admin'] as const
const text = (f: FormData, name: string) => String(f.get(name) ?? '').trim()

function Users() {
  const { t, word } = useWords()
  const cache = useQueryClient()
  const { list, items } = usePages<User>(['users'], at('users'), { limit: 200 })
  const [edit, setEdit] = useState<User | 'new' | null>(null)
  const [pass, setPass] = useState<User | null>(null)
  const done = () => { setEdit(null); return cache.invalidateQueries({ queryKey: ['users'] }) }
  if (list.isPending) return <Loading />
  if (list.isError) return <Trouble error={list.error} retry={() => void list.refetch()} />
  return (
    <>
      <Button icon={Plus} className="mb-3" onClick={() => setEdit('new')}>{t('people.newuser')}</Button>
      <div className="card overflow-hidden sm:overflow-x-auto"><table className="table stack" aria-label={t('people.users')}>
        <thead><tr><th>{t('people.name')}</th><th>{t('people.id')}</th><th>{t('people.roles')}</th><th><span className="sr-only">{t('people.edit')}</span></th></tr></thead>
        <tbody>{items.map((u) => (
          <tr key={u.id}><td className="font-medium">{u.display_name} {u.suspended && <Badge tone="warn">{t('people.suspended')}</Badge>} {u.service && <Badge>{t('people.service')}</Badge>}</td><td data-label={t('people.id')}><code>{u.id}</code></td>
            <td data-label={t('people.roles')}>{u.roles.map((r) => <span key={r} className="mr-1"><Badge>{word('role', r)}</Badge></span>)}</td>
            <td className="text-right whitespace-nowrap"><Button small look="ghost" onClick={() => setEdit(u)}>{t('people.edit')}</Button>{!u.service && <Button small look="ghost" onClick={() => setPass(u)}>{t('people.password')}</Button>}</td></tr>
        ))}</tbody>
      </table></div>
      <More list={list} />
      {edit && <UserDialog user={edit === 'new' ? null : edit} onClose={() => setEdit(null)} done={done} />}
      {pass && <PasswordDialog user={pass} onClose={() => setPass(null)} />}
    </>
  )
}

function UserDialog({ user, onClose, done }: { user: User | null; onClose: () => void; done: () => unknown }) {
  const { t, word } = useWords()
  const create = useErrand()
  const save = useMutation({
    mutationFn: (f: FormData) => {
      const body = { display_name: text(f, 'name'), roles: f.getAll('role').map(String) }
      return user ? change('PATCH', at('users', user.id), { ...body, suspended: f.has('suspended') }) : create(at('users'), { id: text(f, 'id'), ...body, service: f.has('service') })
    },
    onSuccess: done,
  })
  return (
    <Dialog title={user ? user.display_name : t('people.newuser')} onClose={onClose}>
      <form className="space-y-3" onSubmit={(e: FormEvent<HTMLFormElement>) => { e.preventDefault(); save.mutate(new FormData(e.currentTarget)) }}>
        {!user && <Field label={t('people.id')}><input className="field" name="id" required autoFocus /></Field>}
        <Field label={t('people.name')}><input className="field" name="name" defaultValue={user?.display_name} required /></Field>
        <fieldset><legend className="mb-1 text-sm font-medium">{t('people.roles')}</legend>{roles.map((r) => <label key={r} className="flex items-center gap-2 py-0.5 text-sm"><input type="checkbox" name="role" value={r} defaultChecked={user ? user.roles.includes(r) : r === 'member'} className="accent-accent" />{word('role', r)}</label>)}</fieldset>
        <label className="flex items-center gap-2 text-sm"><input type="checkbox" name={user ? 'suspended' : 'service'} defaultChecked={user?.suspended} className="accent-accent" />{t(user ? 'people.suspend' : 'people.isservice')}</label>
        {save.isError && <Trouble error={save.error} kept={t('error.kept.form')} />}
        <div className="flex justify-end gap-2"><Button onClick={onClose}>{t('cancel.dialog')}</Button><Button type="submit" look="primary" busy={save.isPending}>{t('save')}</Button></div>
      </form>
    </Dialog>
  )
}

function PasswordDialog({ user, onClose }: { user: User; onClose: () => void }) {
  const { t } = useWords()
  const save = useMutation({ mutationFn: (f: FormData) => change('PUT', at('users', user.id, 'password'), { password: String(f.get('password')) }), onSuccess: onClose })
  return (
    <Dialog title={t('people.passwordof', { name: user.display_name })} onClose={onClose}>
      <form className="space-y-3" onSubmit={(e) => { e.preventDefault(); save.mutate(new FormData(e.currentTarget)) }}>
        <Field label={t('setup.password')} hint={t('setup.hint')}><input className="field" type="password" name="password" autoComplete="new-password" required autoFocus /></Field>
        {save.isError && <Trouble error={save.error} />}
        <div className="flex justify-end gap-2"><Button onClick={onClose}>{t('cancel.dialog')}</Button><Button type="submit" look="primary" busy={save.isPending}>{t('save')}</Button></div>
      </form>
    </Dialog>
  )
}

function Groups() {
  const { t } = useWords()
  const cache = useQueryClient()
  const { list, items } = usePages<Group>(['groups'], at('groups'), { limit: 200 })
  const [open, setOpen] = useState<Group | null>(null)
  const again = () => cache.invalidateQueries({ queryKey: ['groups'] })
  const create = useErrand()
  const save = useMutation({
    mutationFn: ({ group, fresh }: { group: Group; fresh: boolean }) => (fresh ? create(at('groups'), group) : change('PUT', at('groups', group.id, 'members'), { members: group.members })),
    onSuccess: () => { setOpen(null); return again() },
  })
  const [ending, setEnding] = useState<Group | null>(null)
  const drop = useMutation({ mutationFn: (id: string) => change('DELETE', at('groups', id)), onSuccess: () => { setEnding(null); return again() } })
  if (list.isPending) return <Loading />
  if (list.isError) return <Trouble error={list.error} retry={() => void list.refetch()} />
  const fresh = open !== null && !items.some((g) => g.id === open.id)
  return (
    <>
      <Button icon={Plus} className="mb-3" onClick={() => setOpen({ id: '', members: [] })}>{t('people.newgroup')}</Button>
      {ending && <Sure title={t('delete')} act={() => drop.mutate(ending.id)} busy={drop.isPending} error={drop.error} onClose={() => { setEnding(null); drop.reset() }}>{t('people.groupsure', { group: ending.id, n: ending.members.length })}</Sure>}
      {items.length === 0 ? <Empty title={t('people.nogroup')}>{t('people.nogrouptext')}</Empty> : (
        <ul className="card divide-y divide-line">{items.map((g) => (
          <li key={g.id} className="flex flex-wrap items-center gap-x-3 gap-y-1 px-4 py-2 text-sm"><code className="font-medium break-all">{g.id}</code><span className="min-w-0 flex-1 truncate text-ink-2 max-sm:basis-full max-sm:whitespace-normal">{g.members.join(', ')}</span>
            <Button small look="ghost" onClick={() => setOpen(g)}>{t('people.edit')}</Button><Button small look="danger" icon={Trash2} aria-label={t('delete')} onClick={() => setEnding(g)} /></li>
        ))}</ul>
      )}
      <More list={list} />
      {open && (
        <Dialog title={open.id || t('people.newgroup')} onClose={() => setOpen(null)}>
          <form className="space-y-3" onSubmit={(e) => { e.preventDefault(); const f = new FormData(e.currentTarget); save.mutate({ fresh, group: { id: fresh ? text(f, 'id') : open.id, members: text(f, 'members').split(/\s+/).filter(Boolean) } }) }}>
            {fresh && <Field label={t('people.id')}><input className="field" name="id" required autoFocus /></Field>}
            <Field label={t('people.members')} hint={t('people.membershint')}><textarea className="field font-mono" rows={5} name="members" defaultValue={open.members.join('\n')} /></Field>
            {save.isError && <Trouble error={save.error} kept={t('error.kept.form')} />}
            <div className="flex justify-end gap-2"><Button onClick={() => setOpen(null)}>{t('cancel.dialog')}</Button><Button type="submit" look="primary" busy={save.isPending}>{t('save')}</Button></div>
          </form>
        </Dialog>
      )}
    </>
  )
}

const scopes = ['read', 'ask', 'write', 'decide', 'admin'] as const

function Tokens() {
  const { t, date, word } = useWords()
  const cache = useQueryClient()
  const { list, items } = usePages<Token>(['tokens'], at('tokens'), { limit: 200 })
  const [making, setMaking] = useState(false)
  const again = () => cache.invalidateQueries({ queryKey: ['tokens'] })
  const create = useErrand()
  const make = useMutation({
    mutationFn: (f: FormData) => create<Token & { token: string }>(at('tokens'), { name: text(f, 'name'), scopes: f.getAll('scope').map(String), ...(text(f, 'days') ? { expires_in_days: Number(text(f, 'days')) } : {}) }),
    onSuccess: again,
  })
  const [ending, setEnding] = useState<Token | null>(null)
  const revoke = useMutation({ mutationFn: (id: string) => change('DELETE', at('tokens', id)), onSuccess: () => { setEnding(null); return again() } })
  const take = useMutation({ mutationFn: copy })
  const close = () => { setMaking(false); make.reset(); take.reset() }
  if (list.isPending) return <Loading />
  if (list.isError) return <Trouble error={list.error} retry={() => void list.refetch()} />
  return (
    <>
      <Button icon={KeyRound} className="mb-3" onClick={() => setMaking(true)}>{t('people.newtoken')}</Button>
      {ending && <Sure title={t('people.revoke')} act={() => revoke.mutate(ending.id)} busy={revoke.isPending} error={revoke.error} onClose={() => { setEnding(null); revoke.reset() }}>{t('people.revokesure', { name: ending.name })}</Sure>}
      {items.length === 0 ? <Empty icon={KeyRound} title={t('people.notoken')}>{t('people.notokentext')}</Empty> : (
        <div className="card overflow-hidden sm:overflow-x-auto"><table className="table stack" aria-label={t('people.tokens')}><thead><tr><th>{t('people.name')}</th><th>{t('people.scopes')}</th><th>{t('people.used')}</th><th>{t('people.expires')}</th><th><span className="sr-only">{t('people.revoke')}</span></th></tr></thead>
          <tbody>{items.map((k) => <tr key={k.id}><td className="font-medium">{k.name}</td><td data-label={t('people.scopes')}>{k.scopes.map((s) => word('scopename', s)).join(' · ')}</td><td className="num" data-label={t('people.used')}>{date(k.last_used_at)}</td><td className="num" data-label={t('people.expires')}>{k.expires_at ? date(k.expires_at) : t('people.never')}</td><td className="text-right"><Button small look="danger" onClick={() => setEnding(k)}>{t('people.revoke')}</Button></td></tr>)}</tbody></table></div>
      )}
      <More list={list} />
      {making && (
        <Dialog title={t('people.newtoken')} onClose={close}>
          {make.data ? (
            <div className="space-y-3 text-sm"><p>{t('people.once')}</p><code className="block rounded-md bg-sunken p-2 font-mono text-xs break-all">{make.data.token}</code>{take.isError && <Trouble error={take.error} />}<div className="flex items-center justify-end gap-2"><span role="status" className="text-xs text-ink-3">{take.isSuccess && t('copied.plain')}</span><Button data-copy onClick={() => take.mutate(make.data.token)}>{t('copy.plain')}</Button><Button look="primary" onClick={close}>{t('done')}</Button></div></div>
          ) : (
            <form className="space-y-3" onSubmit={(e) => { e.preventDefault(); make.mutate(new FormData(e.currentTarget)) }}>
              <Field label={t('people.name')}><input className="field" name="name" required autoFocus /></Field>
              <fieldset><legend className="mb-1 text-sm font-medium">{t('people.scopes')}</legend>{scopes.map((s) => <label key={s} className="flex items-center gap-2 py-0.5 text-sm"><input type="checkbox" name="scope" value={s} defaultChecked={s === 'read' || s === 'ask'} className="accent-accent" />{word('scopename', s)}</label>)}</fieldset>
              <Field label={t('people.days')}><input className="field num" name="days" type="number" min={1} /></Field>
              {make.isError && <Trouble error={make.error} />}
              <div className="flex justify-end gap-2"><Button onClick={close}>{t('cancel.dialog')}</Button><Button type="submit" look="primary" busy={make.isPending}>{t('create')}</Button></div>
            </form>
          )}
        </Dialog>
      )}
    </>
  )
}

function Self() {
  const { t, word } = useWords()
  const { me, refresh } = useSession()
  const save = useMutation({ mutationFn: (f: FormData) => post(at('me', 'password'), { current: String(f.get('current')), new: String(f.get('new')) }), onSuccess: refresh })
  return (
    <div className="max-w-[420px] space-y-4 text-sm">
      <dl className="grid grid-cols-[auto_1fr] gap-x-6 gap-y-1"><dt className="text-ink-3">{t('people.name')}</dt><dd>{me?.display_name}</dd><dt className="text-ink-3">{t('people.id')}</dt><dd><code>{me?.user_id}</code></dd><dt className="text-ink-3">{t('signin.tenant')}</dt><dd><code>{me?.tenant_id}</code></dd><dt className="text-ink-3">{t('people.roles')}</dt><dd>{me?.roles.map((r) => word('role', r)).join(' · ')}</dd><dt className="text-ink-3">{t('people.groups')}</dt><dd>{me?.groups.join(', ') || '–'}</dd></dl>
      <form className="space-y-3 border-t border-line pt-4" onSubmit={(e) => { e.preventDefault(); save.mutate(new FormData(e.currentTarget)) }}>
        <Field label={t('people.current')}><input className="field" type="password" name="current" autoComplete="current-password" required /></Field>
        <Field label={t('setup.password')} hint={t('people.endsall')}><input className="field" type="password" name="new" autoComplete="new-password" required /></Field>
        {save.isError && <Trouble error={save.error} />}
        {save.isSuccess && <p role="status" className="text-good">{t('people.changed')}</p>}
        <Button type="submit" busy={save.isPending}>{t('people.changepassword')}</Button>
      </form>
    </div>
  )
}
