import { QueryObserver } from '@tanstack/react-query'
import { expect, it } from 'vitest'

import { remembering } from '../src/api/cache'
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
