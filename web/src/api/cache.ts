import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'

import { Problem } from './client'

// hidden reports whether an answer says that something is not there, or not for the one who asks.
const hidden = (e: unknown): boolean => e instanceof Problem && (e.status === 401 || e.status === 403 || e.status === 404)

// Neighbours are the other tabs of the browser that show the same interface.
export type Neighbours = Pick<BroadcastChannel, 'postMessage' | 'onmessage'>

// What was shown once is not shown again after the server refused it: rights are those of now. Answers that quote a source
// that is gone are asked for again too, since they are given in part then. What a change made old in the other tabs, by its
// mark `tells`, they ask for again themselves: nothing but that it is old goes from tab to tab.
export const remembering = (neighbours?: Neighbours): QueryClient => {
  const client: QueryClient = new QueryClient({
    mutationCache: new MutationCache({
      onSuccess: (_data, _variables, _result, mutation) => {
        if (mutation.options.meta?.tells) neighbours?.postMessage(mutation.options.meta.tells)
      },
    }),
    queryCache: new QueryCache({
      onError: (error, query) => {
        if (!hidden(error) || query.state.data === undefined) return
        query.setState({ ...query.state, data: undefined, dataUpdatedAt: 0 })
        if (query.queryKey[0] === 'source') void client.invalidateQueries({ queryKey: ['runs'] })
      },
    }),
    defaultOptions: {
      queries: {
        staleTime: 5_000,
        // What the server refused is not asked for again; what did not arrive is.
        retry: (n, e) => n < 2 && e instanceof Problem && (e.status === 0 || e.status >= 502),
        refetchOnWindowFocus: true,
      },
    },
  })
  if (neighbours) neighbours.onmessage = (m: MessageEvent) => void client.invalidateQueries({ queryKey: [m.data] })
  return client
}
