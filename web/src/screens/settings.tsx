import type { ReactNode } from 'react'

import type { Model } from '../api/types'
import { useSystem } from '../ask/scope'
import { useWords } from '../i18n'
import { bytes } from '../lib/text'
import { useTheme, type Theme } from '../lib/theme'
import { useSession } from '../session'
import { Badge, Loading, Page, Trouble, cx } from '../ui/basic'
import { SynonymList } from './synonyms'

function Segments<T extends string>({ label, value, options, onChange }: { label: string; value: T; options: [T, string][]; onChange: (v: T) => void }) {
  return (
    <div role="group" aria-label={label} className="inline-flex rounded-md border border-line-strong p-0.5">
      {options.map(([v, name]) => <button key={v} type="button" aria-pressed={v === value} onClick={() => onChange(v)} className={cx('rounded-sm px-3 py-1 text-sm', v === value ? 'bg-hover font-medium text-ink' : 'text-ink-2 hover:text-ink')}>{name}</button>)}
    </div>
  )
}

function Row({ name, children }: { name: string; children: ReactNode }) {
  return <div className="grid gap-x-6 border-b border-line py-2.5 last:border-b-0 sm:grid-cols-[14rem_1fr]"><dt className="text-ink-2">{name}</dt><dd className="num">{children}</dd></div>
}

function Goes({ m }: { m: Model }) {
  const { t } = useWords()
  if (!m.configured && !m.name) return <span className="text-ink-3">{t('settings.nomodel')}</span>
  return <>{m.name} <Badge tone={m.remote ? 'warn' : 'good'}>{m.remote ? t('scope.goes', { host: m.host }) : t('scope.stays')}</Badge></>
}

export default function SettingsPage() {
  const { t, lang, setLang, number, word, date } = useWords()
  const { may } = useSession()
  const [theme, setTheme] = useTheme()
  const system = useSystem()
  const s = system.data
  const l = s?.policy.limits
  return (
    <Page title={t('nav.settings')} lead={t('settings.lead')}>
      <section className="mb-6"><h2 className="eyebrow mb-1">{t('settings.look')}</h2>
        <dl className="card px-4 text-sm">
          <Row name={t('settings.lang')}><Segments label={t('settings.lang')} value={lang} options={[['zh', '中文'], ['en', 'English']]} onChange={setLang} /></Row>
          <Row name={t('settings.theme')}><Segments<Theme> label={t('settings.theme')} value={theme} options={[['system', t('theme.system')], ['light', t('theme.light')], ['dark', t('theme.dark')]]} onChange={setTheme} /></Row>
        </dl>
      </section>
      {may('tenant_admin') && <SynonymList />}
      {system.isPending && <Loading />}
      {system.isError && <Trouble error={system.error} retry={() => void system.refetch()} />}
      {s && l && (
        <>
          <section className="mb-6"><h2 className="eyebrow mb-1">{t('settings.where')}</h2>
            <dl className="card px-4 text-sm">
              <Row name={t('settings.model')}>{s.model.configured ? <Goes m={s.model} /> : <>{t('settings.rules')} <Badge tone="good">{t('scope.stays')}</Badge></>}</Row>
              {s.model_health && <Row name={t('settings.health')}>{word('health', s.model_health.condition)} {s.model_health.since && <span className="text-ink-3">{date(s.model_health.since)}</span>}</Row>}
              <Row name={t('settings.embedding')}>{s.embedding.configured ? <Goes m={s.embedding} /> : <span className="text-ink-3">{t('settings.nomodel')}</span>}{s.embedding.pending > 0 && <> · {t('settings.pending', { n: number(s.embedding.pending) })}</>}{s.embedding.refused > 0 && <> · {t('settings.refused', { n: number(s.embedding.refused) })}</>}</Row>
              {s.chunking !== undefined && s.chunking.pending > 0 && <Row name={t('settings.chunking')}>{t('settings.recut', { n: number(s.chunking.pending) })}</Row>}
              <Row name={t('settings.verifier')}><Goes m={s.verifier} /></Row>
              <Row name={t('settings.reranker')}><Goes m={s.reranker} /></Row>
              <Row name={t('settings.local')}>{t(s.local_only ? 'settings.localyes' : 'settings.localno')}</Row>
            </dl>
          </section>
          <section><h2 className="eyebrow mb-1">{t('settings.limits')}</h2>
            <dl className="card px-4 text-sm">
              {([['steps', l.steps], ['tool_calls', l.tool_calls], ['search_pages', l.search_pages], ['page_size', l.page_size], ['documents', l.documents], ['document_text', l.document_text], ['window', l.window], ['context_chars', l.context_chars], ['repairs', l.repairs]] as const).map(([k, v]) => <Row key={k} name={t(`limits.${k}`)}>{number(v)}</Row>)}
              <Row name={t('limits.tokens')}>{l.tokens === null ? t('limits.unset') : number(l.tokens)}</Row>
              <Row name={t('limits.total')}>{number(l.total_ms / 1000)} s</Row>
              <Row name={t('limits.upload')}>{bytes(s.policy.upload_bytes)}</Row>
              <Row name={t('settings.version')}>{s.version}</Row>
            </dl>
          </section>
        </>
      )}
    </Page>
  )
}
