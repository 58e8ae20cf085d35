import { X } from 'lucide-react'
import { useEffect, useRef, type ReactNode } from 'react'

import { useWords } from '../i18n'
import { Button, cx } from './basic'

// Dialog is the browser's own modal dialog: it keeps the focus, Esc closes it, and the focus goes
// back to where it was. A sheet comes up from below.
export function Dialog({ title, onClose, children, actions, wide, sheet }: { title: string; onClose: () => void; children: ReactNode; actions?: ReactNode; wide?: boolean; sheet?: boolean }) {
  const ref = useRef<HTMLDialogElement>(null)
  const { t } = useWords()
  useEffect(() => {
    const d = ref.current!
    const before = document.activeElement as HTMLElement | null
    d.showModal()
    return () => {
      d.close()
      before?.focus?.()
    }
  }, [])
  return (
    <dialog
      ref={ref}
      aria-label={title}
      onCancel={(e) => { e.preventDefault(); onClose() }}
      onClick={(e) => e.target === ref.current && onClose()}
      className={cx('max-h-[88dvh] overflow-hidden border-line bg-surface p-0', sheet ? 'mx-0 mt-auto mb-0 w-full max-w-none rounded-t-lg border-t pb-[env(safe-area-inset-bottom)]' : cx('m-auto w-[calc(100vw-2rem)] rounded-lg border', wide ? 'max-w-[860px]' : 'max-w-[480px]'))}
    >
      <div className="flex max-h-[88dvh] flex-col">
        <div className="flex items-center gap-3 border-b border-line px-4 py-3">
          <h2 className="min-w-0 flex-1 truncate font-semibold">{title}</h2>
          <Button look="ghost" small icon={X} aria-label={t('close')} onClick={onClose} />
        </div>
        <div className="relative min-h-0 flex-1 overflow-y-auto px-4 py-4">{children}</div>
        {actions && <div className="flex justify-end gap-2 border-t border-line px-4 py-3">{actions}</div>}
      </div>
    </dialog>
  )
}
