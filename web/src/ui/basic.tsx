import { LoaderCircle, type LucideIcon } from 'lucide-react'
import { useEffect, useRef, type ButtonHTMLAttributes, type ReactNode } from 'react'

import { Problem } from '../api/client'
import { useWords } from '../i18n'

export const cx = (...names: (string | false | null | undefined)[]) => names.filter(Boolean).join(' ')

type Look = 'primary' | 'plain' | 'ghost' | 'danger'

const looks: Record<Look, string> = {
  primary: 'bg-accent text-accent-ink border-accent hover:opacity-90',
  plain: 'bg-surface text-ink border-line-strong hover:bg-hover',
  ghost: 'bg-transparent text-ink-2 border-transparent hover:bg-hover hover:text-ink',
  danger: 'bg-surface text-bad border-line-strong hover:bg-bad-soft',
}

export function Button({ look = 'plain', icon: Icon, busy, small, className, children, ...rest }: ButtonHTMLAttributes<HTMLButtonElement> & {
  look?: Look; icon?: LucideIcon; busy?: boolean; small?: boolean
}) {
  return (
    <button
      type="button"
      {...rest}
      aria-busy={busy || undefined}
      disabled={rest.disabled || busy}
      className={cx(
        'inline-flex shrink-0 items-center justify-center gap-1.5 rounded-md border font-medium whitespace-nowrap transition-colors disabled:opacity-50',
        small ? 'h-7 text-xs' : 'h-8 text-sm', children ? (small ? 'px-2' : 'px-3') : small ? 'w-7' : 'w-8', looks[look], className,
      )}
    >
      {busy ? <LoaderCircle size={14} className="animate-spin" aria-hidden /> : Icon && <Icon size={small ? 14 : 15} aria-hidden />}
      {children}
    </button>
  )
}

export type Tone = 'good' | 'warn' | 'bad' | 'mute' | 'accent'

const tones: Record<Tone, string> = {
  good: 'bg-good-soft text-good', warn: 'bg-warn-soft text-warn', bad: 'bg-bad-soft text-bad', mute: 'bg-mute-soft text-mute', accent: 'bg-accent-soft text-accent',
}

export function Badge({ tone = 'mute', children, title }: { tone?: Tone; children: ReactNode; title?: string }) {
  return <span title={title} className={cx('inline-flex items-center gap-1 rounded-sm px-1.5 text-xs font-medium whitespace-nowrap', tones[tone])}>{children}</span>
}

const statusTones: Record<string, Tone> = {
  published: 'good', draft: 'accent', archived: 'mute', reserved: 'mute', succeeded: 'good', failed: 'bad', running: 'accent', queued: 'mute', cancelled: 'mute',
  completed: 'good', insufficient_evidence: 'warn', refused: 'warn', interrupted: 'warn', awaiting_review: 'accent', waiting_for_human: 'accent',
  pending: 'accent', approved: 'good', expired: 'mute', conflict: 'warn', unknown: 'warn', cancelling: 'warn',
}

export function Status({ value }: { value: string }) {
  const { word } = useWords()
  return <Badge tone={statusTones[value] ?? 'mute'}>{word('status', value)}</Badge>
}

export function Page({ title, lead, actions, children, wide }: { title: string; lead?: ReactNode; actions?: ReactNode; children: ReactNode; wide?: boolean }) {
  const ref = useRef<HTMLHeadingElement>(null)
  useEffect(() => { document.title = `${title} · Kaoju 考据` }, [title])
  return (
    <main id="main" tabIndex={-1} className="relative h-full min-w-0 flex-1 overflow-y-auto outline-none">
      <div className={cx('mx-auto px-4 py-5 sm:px-8 sm:py-7', wide ? 'max-w-[1240px]' : 'max-w-[960px]')}>
        <header className="mb-5 flex flex-wrap items-start gap-x-4 gap-y-3">
          <div className="min-w-0 flex-1 basis-full sm:basis-60">
            <h1 ref={ref} className="text-xl font-semibold break-words">{title}</h1>
            {lead && <p className="mt-1 max-w-[70ch] text-sm text-ink-2">{lead}</p>}
          </div>
          {actions && <div className="flex flex-wrap gap-2">{actions}</div>}
        </header>
        {children}
      </div>
    </main>
  )
}

export function Empty({ icon: Icon, title, children, actions }: { icon?: LucideIcon; title: string; children?: ReactNode; actions?: ReactNode }) {
  return (
    <div className="flex flex-col items-center rounded-lg border border-dashed border-line-strong px-6 py-12 text-center">
      {Icon && <Icon size={22} className="mb-3 text-ink-3" aria-hidden />}
      <p className="font-medium">{title}</p>
      {children && <div className="mt-1 max-w-[52ch] text-sm text-ink-2">{children}</div>}
      {actions && <div className="mt-4 flex flex-wrap justify-center gap-2">{actions}</div>}
    </div>
  )
}

// Trouble says what happened, what was kept, and what to do.
export function Trouble({ error, retry, act, kept }: { error: unknown; retry?: () => void; act?: string; kept?: string }) {
  const { t, word } = useWords()
  const p = error instanceof Problem ? error : null
  const known = p && word('error', p.code)
  const text = !p ? t('error.unexpected') : known !== p.code ? known : p.detail || t('error.status', { n: p.status })
  return (
    <div role="alert" className="rounded-md border border-line bg-bad-soft px-3 py-2 text-sm text-bad">
      <p>{text}</p>
      {p?.fields.map((f) => <p key={f.pointer} className="mt-0.5 text-xs"><code>{f.pointer}</code> {f.detail}</p>)}
      {kept && <p className="mt-0.5 text-xs">{kept}</p>}
      {retry && <button type="button" onClick={retry} className="mt-1 text-xs font-medium underline underline-offset-2">{act ?? t('retry')}</button>}
    </div>
  )
}

export function Loading({ label }: { label?: string }) {
  const { t } = useWords()
  return <div role="status" className="flex items-center gap-2 py-6 text-sm text-ink-3"><LoaderCircle size={15} className="animate-spin" aria-hidden />{label ?? t('loading')}</div>
}

// More asks for the next page of a list, where there is one.
export function More({ list }: { list: { hasNextPage: boolean; isFetchingNextPage: boolean; fetchNextPage: () => unknown } }) {
  const { t } = useWords()
  return list.hasNextPage && <Button className="mt-3" busy={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>{t('more')}</Button>
}

export function Field({ label, hint, children }: { label: string; hint?: string; children: ReactNode }) {
  return (
    <label className="block">
      <span className="mb-1 block text-sm font-medium">{label}</span>
      {children}
      {hint && <span className="mt-1 block text-xs text-ink-3">{hint}</span>}
    </label>
  )
}

export function Bar({ value, max, label, tone = 'accent' }: { value: number; max: number; label: string; tone?: 'accent' | 'good' | 'bad' }) {
  const share = max > 0 ? Math.min(1, value / max) : 0
  const colour = { accent: 'var(--accent)', good: 'var(--good)', bad: 'var(--bad)' }[tone]
  return (
    <svg role="progressbar" aria-label={label} aria-valuemin={0} aria-valuemax={max || 1} aria-valuenow={Math.min(value, max || 1)} className="block h-1 w-full" preserveAspectRatio="none" viewBox="0 0 100 2">
      <rect width="100" height="2" rx="1" fill="var(--line)" />
      <rect width={100 * share} height="2" rx="1" fill={colour} />
    </svg>
  )
}
