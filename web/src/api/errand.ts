import { useCallback, useRef } from 'react'

import { once, post } from './client'

// Errand is something to be made in the server by somebody who may click again. Its key belongs to what
// is asked for: where an answer got lost, the same content is the same request and makes nothing twice;
// other content, or the same after it was done, is another one.
export class Errand {
  #content = ''
  #key = ''

  async post<T>(path: string, body?: unknown): Promise<T> {
    const content = JSON.stringify([path, body])
    if (content !== this.#content) {
      this.#content = content
      this.#key = once()
    }
    const key = this.#key
    const answer = await post<T>(path, body, { key })
    if (key === this.#key) this.#content = ''
    return answer
  }
}

// useErrand is one errand of a form or a button, for as long as that is on the screen.
export function useErrand() {
  const errand = useRef<Errand>(null)
  return useCallback(<T>(path: string, body?: unknown) => (errand.current ??= new Errand()).post<T>(path, body), [])
}
