import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useMemo, useState } from 'react'

// useUnsaved keeps a change that was left without saving, in this page alone and until the person signs out.
// It is brought back to the text that it was made in and to no other: what a text no longer shows is not
// shown by a change of it. The name is that of what is changed, and `of` tells its text from every other.
export function useUnsaved<T>(name: string, of: string): { found: T | null; keep: (change: T | null) => void } {
  const cache = useQueryClient()
  const key = useMemo(() => ['unsaved', name], [name])
  const [found] = useState(() => {
    const kept = cache.getQueryData<{ change: T; of: string }>(key)
    return kept?.of === of ? kept.change : null
  })
  const keep = useCallback((change: T | null) => {
    cache.removeQueries({ queryKey: key })
    if (change === null) return
    cache.setQueryDefaults(key, { gcTime: Infinity })
    cache.setQueryData(key, { change, of })
  }, [cache, key, of])
  return { found, keep }
}
