import { useEffect } from 'react'

// useLeaving lets the browser ask before the page is closed or loaded again, as long as something would be lost.
export function useLeaving(loses: boolean) {
  useEffect(() => {
    if (!loses) return
    const onLeave = (e: BeforeUnloadEvent) => e.preventDefault()
    addEventListener('beforeunload', onLeave)
    return () => removeEventListener('beforeunload', onLeave)
  }, [loses])
}
