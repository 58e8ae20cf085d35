// unhurried calls a function at most once in so many milliseconds, and once after the last call.
export function unhurried(f: () => void, ms: number): () => void {
  let waiting = false
  return () => {
    if (waiting) return
    waiting = true
    setTimeout(() => { waiting = false; f() }, ms)
  }
}
