import type { ReactNode } from 'react'

import { useWords } from '../i18n'
import { Button, Trouble } from './basic'
import { Dialog } from './dialog'

// Sure asks before something is done that can't be taken back. It stays, with what went wrong, until it is done.
export function Sure({ title, children, act, busy, error, onClose }: { title: string; children: ReactNode; act: () => void; busy: boolean; error: unknown; onClose: () => void }) {
  const { t } = useWords()
  return (
    <Dialog title={title} onClose={onClose} actions={<><Button onClick={onClose}>{t('cancel.dialog')}</Button><Button look="danger" busy={busy} onClick={act} data-sure>{title}</Button></>}>
      <p className="text-sm">{children}</p>
      {error !== null && <div className="mt-3"><Trouble error={error} /></div>}
    </Dialog>
  )
}
