import { useWords, type Key } from '../i18n'
import { Dialog } from './dialog'

// apple reports whether the keys of the machine are named as on a Mac.
export const apple = (platform: string) => /mac|iphone|ipad/i.test(platform)

// Each row names keys that do the same, each of them alone or held together.
const groups: [Key, [string[][], Key][]][] = [
  ['keys.group.anywhere', [[[['j'], ['k']], 'keys.walk'], [[['/']], 'keys.ask'], [[['n']], 'keys.new'], [[['?']], 'keys.help']]],
  ['keys.group.citation', [[[['Enter']], 'keys.open'], [[['Esc']], 'keys.esc']]],
  ['keys.group.question', [[[['Enter'], ['Mod', 'Enter']], 'keys.send'], [[['Shift', 'Enter']], 'keys.line']]],
]

export function Shortcuts({ onClose }: { onClose: () => void }) {
  const { t } = useWords()
  const named = (key: string) => (key === 'Mod' ? (apple(navigator.platform) ? '⌘' : 'Ctrl') : key)
  return (
    <Dialog title={t('keys.title')} onClose={onClose}>
      {groups.map(([name, rows]) => (
        <section key={name} className="mb-4 last:mb-0">
          <h3 className="eyebrow mb-2">{t(name)}</h3>
          <dl className="grid grid-cols-[10.5rem_1fr] items-center gap-x-4 gap-y-2 text-sm">
            {rows.map(([ways, key]) => (
              <div key={key} className="contents" data-keys={key}>
                <dt className="flex items-center gap-1 whitespace-nowrap">{ways.map((way, i) => (
                  <span key={i} className="flex items-center gap-1">
                    {i > 0 && <span className="text-ink-3" aria-hidden>/</span>}
                    {way.map((k, n) => <span key={k} className="flex items-center gap-1">{n > 0 && <span className="text-xs text-ink-3">+</span>}<kbd className="rounded-sm border border-line-strong bg-sunken px-1.5 font-mono text-xs leading-5">{named(k)}</kbd></span>)}
                  </span>
                ))}</dt>
                <dd className="text-ink-2">{t(key)}</dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
    </Dialog>
  )
}
