import { useInfiniteQuery } from '@tanstack/react-query'
import { useMemo } from 'react'

import { get, type Call } from './client'
import type { List } from './types'

// whole reads every page of a list: for a choice, and for what is read as one text. page asks for what
// comes after a cursor, which the first page has none of.
export async function whole<T>(page: (cursor: string | undefined) => Promise<List<T>>): Promise<List<T>> {
  let items: T[] = []
  let cursor: string | undefined
  for (;;) {
    const list = await page(cursor)
    items = items.concat(list.items)
    if (list.next_cursor === null) return { items, next_cursor: null }
    cursor = list.next_cursor
  }
}

// recorded are the rules for what is asked as somebody else: each request is an entry in the ledger, so
// none is made but for a look that the person takes.
export const recorded = { staleTime: Infinity, gcTime: 0, refetchOnWindowFocus: false, refetchOnReconnect: false, retry: false } as const

// Rules say when a list is asked for again.
export interface Rules { refetchInterval?: number; staleTime?: number; gcTime?: number; refetchOnWindowFocus?: boolean; refetchOnReconnect?: boolean; retry?: boolean }

// usePages is a list that a person goes on in page by page: what has come so far, and the query of it.
export function usePages<T>(key: unknown[], path: string, query: NonNullable<Call['query']>, rules: Rules = {}) {
  const list = useInfiniteQuery({
    ...rules, queryKey: key, initialPageParam: '', getNextPageParam: (l: List<T>) => l.next_cursor,
    queryFn: ({ pageParam, signal }) => get<List<T>>(path, { ...query, cursor: pageParam }, signal),
  })
  const { data } = list
  const items = useMemo(() => data?.pages.flatMap((p) => p.items) ?? [], [data])
  return { list, items }
}
