import { useQuery } from '@tanstack/react-query'

import { at, get } from '../api/client'
import { whole } from '../api/pages'
import type { List, Run, RunEvent } from '../api/types'

// useEvents are the stored events of a run.
export const useEvents = (run: Run, enabled = true) => useQuery({
  queryKey: ['events', run.run_id, run.attempt, run.state], enabled,
  queryFn: ({ signal }) => whole((after) => get<List<RunEvent>>(at('runs', run.run_id, 'events'), { after }, signal)),
})
