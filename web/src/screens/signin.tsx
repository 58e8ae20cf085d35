import { useEffect, useState, type FormEvent, type ReactNode } from 'react'

import { at, credential, get, home, post, Problem } from '../api/client'
import type { Me, SignInWays } from '../api/types'
import { brought, fragment } from '../brought'
import { useWords } from '../i18n'
import { useSession } from '../session'
import { Button, Field, Trouble } from '../ui/basic'
import { Choices, Seal } from '../ui/seal'

function Frame({ children }: { children: ReactNode }) {
  const { t } = useWords()
  return (
    <div className="flex min-h-full flex-col bg-bg">
      <header className="flex items-center justify-end px-4 py-3"><Choices /></header>
      <main id="main" className="mx-auto w-full max-w-[380px] flex-1 px-5 pt-[8vh] pb-12">
        <Seal size={40} />
        <h1 className="mt-5 text-xl font-semibold">{t('signin.title')}</h1>
        <p className="mt-1 mb-6 text-sm text-ink-2">{t('signin.lead')}</p>
        {children}
      </main>
    </div>
  )
}

export default function SignIn() {
  const { t } = useWords()
  const session = useSession()
  const [setup, setSetup] = useState(brought.setup)
  const [way, setWay] = useState<'password' | 'token'>(brought.token ? 'token' : 'password')
  const [providers, setProviders] = useState<SignInWays['providers']>([])
  useEffect(() => { document.title = `${t('signin.title')} · Kaoju 考据` }, [t])
  const [again, setAgain] = useState(0)
  useEffect(() => {
    // The same page, opened by another link.
    const onHash = () => {
      const f = fragment()
      if (!f.token && !f.setup) return
      Object.assign(brought, f)
      setSetup(f.setup)
      setWay(f.token ? 'token' : 'password')
      setAgain((n) => n + 1)
    }
    addEventListener('hashchange', onHash)
    return () => removeEventListener('hashchange', onHash)
  }, [])
  useEffect(() => { void get<SignInWays>(at('sign-in')).then((w) => setProviders(w.providers), () => setProviders([])) }, [])

  if (setup) return <Frame><Setup token={setup} done={() => { brought.setup = ''; setSetup('') }} /></Frame>
  return (
    <Frame>
      {session.ended && <p role="status" className="mb-4 rounded-md bg-warn-soft px-3 py-2 text-sm text-warn">{t('signin.ended')}</p>}
      {session.state === 'unreachable' && <div className="mb-4"><Trouble error={new Problem(0, 'unreachable', '')} retry={() => void session.refresh()} /></div>}
      {providers.map((p) => (
        <a key={p.name} href={`${home}${p.login}?return=${encodeURIComponent(location.pathname)}`} className="mb-3 flex h-9 items-center justify-center rounded-md border border-line-strong bg-surface text-sm font-medium hover:bg-hover">
          {t('signin.with', { name: p.name })}
        </a>
      ))}
      {way === 'password' ? <Password done={session.refresh} /> : <Token key={again} done={session.refresh} />}
      <button type="button" className="mt-5 text-sm text-accent underline-offset-2 hover:underline" onClick={() => setWay(way === 'password' ? 'token' : 'password')}>
        {t(way === 'password' ? 'signin.bytoken' : 'signin.bypassword')}
      </button>
    </Frame>
  )
}

function Password({ done, user = '' }: { done: () => Promise<void>; user?: string }) {
  const { t } = useWords()
  const [error, setError] = useState<unknown>(null)
  const [busy, setBusy] = useState(false)
  const submit = async (e: FormEvent<HTMLFormElement>) => {
    e.preventDefault()
    const f = new FormData(e.currentTarget)
    const value = (name: string) => String(f.get(name) ?? '')
    setBusy(true)
    setError(null)
    try {
      await post(at('session'), { user: value('user'), password: value('password'), ...(value('tenant') ? { tenant: value('tenant') } : {}) })
      await done()
    } catch (x) {
      setError(x)
    } finally {
      setBusy(false)
    }
  }
  return (
    <form onSubmit={submit} className="space-y-4">
      <Field label={t('signin.user')}><input className="field" name="user" autoComplete="username" required defaultValue={user} autoFocus /></Field>
      <Field label={t('signin.password')}><input className="field" name="password" type="password" autoComplete="current-password" required /></Field>
      <details className="text-sm">
        <summary className="text-ink-2">{t('signin.tenant')}</summary>
        <input className="field mt-2" name="tenant" aria-label={t('signin.tenant')} autoComplete="organization" />
      </details>
      {error !== null && <Trouble error={error} />}
      <Button type="submit" look="primary" busy={busy} className="h-9 w-full">{t('signin.go')}</Button>
    </form>
  )
}

function Token({ done }: { done: () => Promise<void> }) {
  const { t } = useWords()
  const [token, setToken] = useState(brought.token)
  const [who, setWho] = useState<Me | null>(null)
  const [error, setError] = useState<unknown>(null)
  const [busy, setBusy] = useState(false)

  const look = async (value: string) => {
    setBusy(true)
    setError(null)
    try {
      const res = await fetch(`${home}/api/me`, { headers: { Authorization: `Bearer ${value.trim()}` }, cache: 'no-store', credentials: 'omit' })
      if (!res.ok) throw new Problem(res.status, res.status === 401 ? 'bad_token' : 'internal', '')
      setWho((await res.json()) as Me)
    } catch (x) {
      setError(x instanceof Problem ? x : new Problem(0, 'unreachable', ''))
    } finally {
      setBusy(false)
    }
  }
  useEffect(() => { if (brought.token) void look(brought.token) }, [])

  if (who) {
    const enter = () => {
      credential.set(token.trim())
      brought.token = ''
      void done()
    }
    return (
      <div className="card p-4">
        <p className="text-sm text-ink-2">{t('signin.youare')}</p>
        <p className="mt-1 text-lg font-semibold">{who.display_name}</p>
        <p className="text-sm text-ink-2">{who.user_id} · {who.tenant_id}</p>
        <Button look="primary" className="mt-4 h-9 w-full" onClick={enter} autoFocus>{t('signin.as', { name: who.display_name })}</Button>
        <Button look="ghost" className="mt-2 w-full" onClick={() => { setWho(null); setToken(''); brought.token = '' }}>{t('signin.other')}</Button>
        <p className="mt-3 text-xs text-ink-3">{t('signin.tab')}</p>
      </div>
    )
  }
  return (
    <form className="space-y-4" onSubmit={(e) => { e.preventDefault(); void look(token) }}>
      <Field label={t('signin.token')} hint={t('signin.tab')}>
        <input className="field font-mono" type="password" autoComplete="off" required value={token} onChange={(e) => setToken(e.target.value)} placeholder="kj_…" autoFocus />
      </Field>
      {error !== null && <Trouble error={error} />}
      <Button type="submit" look="primary" busy={busy} className="h-9 w-full">{t('signin.next')}</Button>
    </form>
  )
}

// Setup is the first start: the administrator chooses a password with the one-time link.
function Setup({ token, done }: { token: string; done: () => void }) {
  const { t } = useWords()
  const session = useSession()
  const [error, setError] = useState<unknown>(null)
  const [busy, setBusy] = useState(false)
  const submit = async (e: FormEvent<HTMLFormElement>) => {
    e.preventDefault()
    const password = String(new FormData(e.currentTarget).get('password') ?? '')
    setBusy(true)
    setError(null)
    try {
      await post(at('setup'), { token, password })
      await post(at('session'), { user: 'admin', password })
      await session.refresh()
      done()
    } catch (x) {
      setError(x)
    } finally {
      setBusy(false)
    }
  }
  return (
    <form onSubmit={submit} className="space-y-4">
      <p className="text-sm text-ink-2">{t('setup.lead')}</p>
      <Field label={t('signin.user')}><input className="field" value="admin" readOnly name="user" autoComplete="username" /></Field>
      <Field label={t('setup.password')} hint={t('setup.hint')}><input className="field" name="password" type="password" autoComplete="new-password" minLength={12} required autoFocus /></Field>
      {error !== null && <Trouble error={error} />}
      <Button type="submit" look="primary" busy={busy} className="h-9 w-full">{t('setup.go')}</Button>
      <button type="button" className="text-sm text-accent" onClick={done}>{t('signin.bypassword')}</button>
    </form>
  )
}
