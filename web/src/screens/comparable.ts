import type { Evaluation } from '../api/types'

// comparable are the results that stand on one line with the chosen one, or with the newest where none
// of them is chosen: of the same questions, answered by the same engine and model.
export function comparable(results: Evaluation[], chosen: string): Evaluation[] {
  const one = results.find((r) => r.id === chosen) ?? results[0]
  return results.filter((r) => r.name === one?.name && r.file === one.file && r.engine === one.engine && r.model === one.model)
}
