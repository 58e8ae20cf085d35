import { useWords, type Key } from '../i18n'
import { Dialog } from './dialog'

const list: [string[], Key][] = [
  [['j', 'k'], 'keys.walk'],
  [['Enter'], 'keys.open'],
  [['Esc'], 'keys.esc'],
  [['/'], 'keys.ask'],
  [['n'], 'keys.new'],
  [['Ctrl', 'Enter'], 'keys.send'],
  [['?'], 'keys.help'],
]

export function Shortcuts({ onClose }: { onClose: () => void }) {
  const { t } = useWords()
  return (
    <Dialog title={t('keys.title')} onClose={onClose}>
      <dl className="grid grid-cols-[auto_1fr] items-center gap-x-6 gap-y-2.5 text-sm">
        {list.map(([keys, key]) => (
          <div key={key} className="contents">
            <dt className="flex gap-1">{keys.map((k) => <kbd key={k} className="rounded-sm border border-line-strong bg-sunken px-1.5 font-mono text-xs leading-5">{k}</kbd>)}</dt>
            <dd className="text-ink-2">{t(key)}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  )
}
