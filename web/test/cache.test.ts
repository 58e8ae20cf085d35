import { QueryObserver } from '@tanstack/react-query'
import { expect, it } from 'vitest'

import { remembering, type Neighbours } from '../src/api/cache'
import { Problem } from '../src/api/client'

// asked tells what is shown of a query that was answered once, after the server answers it with a status.
const asked = async (status: number): Promise<unknown> => {
  const client = remembering()
  const failing = new Problem(status, 'x', 'x')
  let answers = 0
  const watched = new QueryObserver(client, {
    queryKey: ['source', 'run', 'S1'], staleTime: 0, retry: false,
    queryFn: () => (answers++ === 0 ? Promise.resolve('the text') : Promise.reject(failing)),
  })
  const stop = watched.subscribe(() => undefined)
  await watched.refetch()
  await watched.refetch()
  stop()
  return watched.getCurrentResult().data
}

it.each([401, 403, 404])('what was shown is forgotten once the server says %i', async (status) => {
  expect(await asked(status)).toBeUndefined()
})

it('what was shown stays where only the way to the server fails', async () => {
  expect(await asked(503)).toBe('the text')
})

// pair are two tabs of one browser: what one says the other hears.
const pair = () => {
  const said: unknown[] = []
  const tabs: Neighbours[] = [0, 1].map((i) => ({ onmessage: null, postMessage: (data: unknown) => { said.push(data); tabs[1 - i]!.onmessage!.call(null as never, { data } as MessageEvent) } }))
  return { said, one: remembering(tabs[0]), other: remembering(tabs[1]) }
}

it('a run that goes on by one tab is asked for again by the others, and nothing of it is said between them', async () => {
  const { said, one, other } = pair()
  other.setQueryData(['runs', 'one', 'r'], { state: 'interrupted' })
  other.setQueryData(['draft', 'd'], {})
  const send = (meta: { tells: string } | undefined, fails: boolean) =>
    one.getMutationCache().build(one, { mutationFn: () => (fails ? Promise.reject(new Problem(409, 'x', 'x')) : Promise.resolve({ secret: 1 })), meta }).execute(undefined).catch(() => undefined)
  await send(undefined, false)
  await send({ tells: 'runs' }, true)
  expect(other.getQueryState(['runs', 'one', 'r'])?.isInvalidated).toBe(false)
  await send({ tells: 'runs' }, false)
  expect(other.getQueryState(['runs', 'one', 'r'])?.isInvalidated).toBe(true)
  expect(other.getQueryState(['draft', 'd'])?.isInvalidated).toBe(false)
  expect(said).toEqual(['runs'])
})
