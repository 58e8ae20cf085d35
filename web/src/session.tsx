import { useQueryClient } from '@tanstack/react-query'
import { createContext, useCallback, useContext, useEffect, useMemo, useState, type ReactNode } from 'react'

import { at, change, credential, get, onLost, Problem } from './api/client'
import type { Me } from './api/types'

export interface Session {
  state: 'asking' | 'out' | 'in' | 'unreachable'
  me: Me | null
  ended: boolean
  refresh: () => Promise<void>
  leave: () => Promise<void>
  may: (role: string) => boolean
}

const Context = createContext<Session | null>(null)

// Signed asks the server who is here. Nothing of the answer is kept in the browser beyond the page.
export function Signed({ children }: { children: ReactNode }) {
  const cache = useQueryClient()
  const [state, setState] = useState<Session['state']>('asking')
  const [me, setMe] = useState<Me | null>(null)
  const [ended, setEnded] = useState(false)

  const refresh = useCallback(async () => {
    try {
      // A person who is not signed in has no session to ask for; it is no error of the page.
      const who = await get<Me>(at('me'))
      setMe(who)
      setEnded(false)
      setState('in')
    } catch (e) {
      const out = e instanceof Problem && e.status === 401
      if (out) credential.clear()
      setMe(null)
      setState(out ? 'out' : 'unreachable')
    }
  }, [])

  useEffect(() => {
    onLost(() => {
      credential.clear()
      cache.clear()
      setMe(null)
      setState((s) => {
        if (s === 'in') setEnded(true)
        return 'out'
      })
    })
    void refresh()
  }, [refresh, cache])

  const leave = useCallback(async () => {
    try {
      if (!credential.get()) await change('DELETE', at('session'))
    } catch (e) {
      // The session may still hold, in the server and in the cookie: nobody is told that it is over.
      if (!(e instanceof Problem && e.status === 401)) throw e
    }
    credential.clear()
    cache.clear()
    setMe(null)
    setState('out')
  }, [cache])

  const value = useMemo<Session>(
    () => ({ state, me, ended, refresh, leave, may: (role) => me?.roles.includes(role) ?? false }),
    [state, me, ended, refresh, leave],
  )
  return <Context value={value}>{children}</Context>
}

export function useSession(): Session {
  const s = useContext(Context)
  if (!s) throw new Error('outside of Signed')
  return s
}
