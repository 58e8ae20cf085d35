import { useQuery } from '@tanstack/react-query'

import { at, get } from '../api/client'
import { whole } from '../api/pages'
import type { List, Proposal } from '../api/types'

// usePending are the approvals that wait for the person.
export const usePending = () => useQuery({
  queryKey: ['approvals', 'pending'], refetchInterval: 20_000,
  queryFn: ({ signal }) => whole((cursor) => get<List<Proposal>>(at('approvals'), { status: 'pending', limit: 200, cursor }, signal)),
})
