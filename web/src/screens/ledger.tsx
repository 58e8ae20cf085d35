import { useMutation, useQuery } from '@tanstack/react-query'
import { Download, ScrollText, ShieldAlert, ShieldCheck } from 'lucide-react'
import { useState } from 'react'
import { Link, useSearchParams } from 'react-router'

import { at, download, get, send } from '../api/client'
import { usePages } from '../api/pages'
import type { Entry, Proof, Why } from '../api/types'
import { useWords } from '../i18n'
import { proves, verifies, type Verdict } from '../lib/merkle'
import { useSession } from '../session'
import { Badge, Button, Empty, Field, Loading, More, Page, Trouble } from '../ui/basic'
import { Dialog } from '../ui/dialog'

export default function Ledger() {
  const { t, date, word, number } = useWords()
  const { may } = useSession()
  const [query, setQuery] = useSearchParams()
  const filter = { run_id: query.get('run_id') ?? '', actor: query.get('actor') ?? '', from: query.get('from') ?? '', to: query.get('to') ?? '' }
  const [open, setOpen] = useState<Entry | null>(null)
  const [why, setWhy] = useState(false)
  const [error, setError] = useState<unknown>(null)
  const [seen, setSeen] = useState(0)
  const check = useMutation({ mutationFn: async () => verifies((await send(at('ledger', 'export'), { headers: { Accept: '*/*' } })).body!, setSeen) })
  const { list, items } = usePages<Entry>(['ledger', filter], at('ledger'), { ...filter, limit: 100 })
  const set = (k: string, v: string) => { const q = new URLSearchParams(query); if (v) q.set(k, v); else q.delete(k); setQuery(q, { replace: true }) }
  return (
    <Page wide title={t('nav.ledger')} lead={t(may('auditor') ? 'ledger.auditor' : 'ledger.lead')} actions={<>{filter.run_id && items.some((e) => e.own_run || e.kind === 'run.ended') && <Button onClick={() => setWhy(true)} data-why>{t('why.title')}</Button>}<Button icon={ShieldCheck} busy={check.isPending} onClick={() => { setSeen(0); check.mutate() }} data-verify>{t('ledger.verify')}</Button><Button icon={Download} data-export="ledger" title={t('ledger.exporttext')} onClick={() => void download(at('ledger', 'export'), 'kaoju-ledger.jsonl').then(() => setError(null), setError)}>{t('ledger.export')}</Button></>}>
      {check.isPending && <p role="status" className="num mb-4 text-sm text-ink-2">{t('ledger.verifying', { n: number(seen) })}</p>}
      {check.isError && <div className="mb-4"><Trouble error={check.error} retry={() => check.mutate()} /></div>}
      {check.data && <Checked verdict={check.data.verdict} count={check.data.lines} />}
      {error !== null && <div className="mb-4"><Trouble error={error} /></div>}
      <div className="mb-4 grid grid-cols-2 gap-3 sm:grid-cols-4 [&>:first-child]:max-sm:col-span-2">
        <Field label={t('ledger.run')}><input className="field font-mono" value={filter.run_id} onChange={(e) => set('run_id', e.target.value.trim())} /></Field>
        {may('auditor') && <Field label={t('ledger.actor')}><input className="field" value={filter.actor} onChange={(e) => set('actor', e.target.value.trim())} /></Field>}
        <Field label={t('ask.from')}><input className="field num" type="date" value={filter.from} onChange={(e) => set('from', e.target.value)} /></Field>
        <Field label={t('ask.to')}><input className="field num" type="date" value={filter.to} onChange={(e) => set('to', e.target.value)} /></Field>
      </div>
      {list.isPending && <Loading />}
      {list.isError && <Trouble error={list.error} retry={() => void list.refetch()} />}
      {list.isSuccess && items.length === 0 && <Empty icon={ScrollText} title={t('ledger.none')}>{t('ledger.nonetext')}</Empty>}
      {items.length > 0 && (
        <div className="card overflow-x-auto"><table className="table">
          <thead><tr>{items.some((e) => e.sequence) && <th className="max-sm:hidden">{t('ledger.no')}</th>}<th>{t('ledger.time')}</th><th>{t('ledger.kind')}</th><th className="max-sm:hidden">{t('ledger.actor')}</th><th>{t('ledger.run')}</th><th className="max-md:hidden">{t('ledger.hash')}</th></tr></thead>
          <tbody>{items.map((e) => (
            <tr key={e.id}>
              {items.some((x) => x.sequence) && <td className="num max-sm:hidden">{e.sequence}</td>}
              <td className="num sm:whitespace-nowrap">{date(e.time)}<span className="block text-xs text-ink-3 sm:hidden">{e.actor}</span></td><td className="relative"><button type="button" className="text-left text-accent underline underline-offset-2 max-sm:after:absolute max-sm:after:inset-0" onClick={() => setOpen(e)}>{word('entry', e.kind)}</button></td>
              <td className="max-sm:hidden">{e.actor}</td><td className="relative">{e.run_id && <RunLink entry={e} />}</td><td className="font-mono text-xs max-md:hidden">{e.hash.slice(0, 16)}…</td>
            </tr>
          ))}</tbody>
        </table></div>
      )}
      <More list={list} />
      {open && <EntryDialog entry={open} onClose={() => setOpen(null)} />}
      {why && <WhyDialog run={filter.run_id} onClose={() => setWhy(false)} />}
    </Page>
  )
}

// RunLink leads to a run that the server says is one's own. Of anybody else's there are only its entries.
function RunLink({ entry: e }: { entry: Entry }) {
  const { t } = useWords()
  const to = e.own_run ? `/runs/${encodeURIComponent(e.run_id)}` : `/ledger?run_id=${encodeURIComponent(e.run_id)}`
  return <Link className="font-mono text-xs text-accent underline underline-offset-2 max-sm:after:absolute max-sm:after:inset-0" to={to} data-run-link={e.own_run ? 'run' : 'entries'} title={t(e.own_run ? 'ledger.openrun' : 'ledger.only')}>{e.run_id.slice(0, 12)}…</Link>
}

// Checked says what came of checking the whole log.
function Checked({ verdict, count }: { verdict: Verdict; count: number }) {
  const { t, number } = useWords()
  if (verdict === 'fails') return <p role="alert" data-verified="fails" className="mb-4 flex gap-2 rounded-md bg-bad-soft px-3 py-2 text-sm text-bad"><ShieldAlert size={16} aria-hidden className="mt-0.5 shrink-0" />{t('ledger.allfail', { n: number(count) })}</p>
  if (verdict === 'unknown') return <p role="status" data-verified="unknown" className="mb-4 text-sm text-ink-2">{t('ledger.unknown')}</p>
  return (
    <div role="status" data-verified="holds" className="mb-4 flex gap-2 rounded-md bg-good-soft px-3 py-2 text-sm text-good">
      <ShieldCheck size={16} aria-hidden className="mt-0.5 shrink-0" /><p>{t('ledger.allhold', { n: number(count) })}<span className="block text-xs text-ink-2">{t('ledger.signature')}</span></p>
    </div>
  )
}

// EntryDialog shows an entry, and computes in the browser whether its proof leads to the signed root.
// What it shows beside the verdict is the entry that the proof is of.
function EntryDialog({ entry, onClose }: { entry: Entry; onClose: () => void }) {
  const { t, word } = useWords()
  const proof = useQuery({
    queryKey: ['proof', entry.id, entry.hash],
    queryFn: async ({ signal }) => {
      const answer = await (await send(at('ledger', entry.id, 'proof'), { signal })).text()
      const proof = JSON.parse(answer) as Proof
      return { proof, verdict: await proves(proof, answer, entry) }
    },
  })
  const shown = proof.data?.proof.entry ?? entry
  return (
    <Dialog wide title={word('entry', shown.kind)} onClose={onClose}>
      <pre className="overflow-x-auto rounded-md bg-sunken p-3 font-mono text-xs whitespace-pre-wrap break-all">{JSON.stringify(shown, null, 2)}</pre>
      <h3 className="eyebrow mt-4 mb-1">{t('ledger.proof')}</h3>
      {proof.isPending && <Loading />}
      {proof.isError && <Trouble error={proof.error} />}
      {proof.data && (
        <>
          <p className="flex items-center gap-2 text-sm"><span data-proof={proof.data.verdict}><Badge tone={{ holds: 'good', fails: 'bad', unknown: 'mute' }[proof.data.verdict] as 'good'}>{t(`ledger.${proof.data.verdict}`)}</Badge></span><span className="num text-ink-2">{t('ledger.path', { n: proof.data.proof.hashes.length, i: proof.data.proof.index + 1 })}</span></p>
          <p className="mt-1 text-xs text-ink-3">{t('ledger.signature')}</p>
          <pre className="mt-2 overflow-x-auto rounded-md bg-sunken p-3 font-mono text-xs">{proof.data.proof.checkpoint}</pre>
        </>
      )}
    </Dialog>
  )
}

function WhyDialog({ run, onClose }: { run: string; onClose: () => void }) {
  const { t } = useWords()
  const why = useQuery({ queryKey: ['why', run], queryFn: ({ signal }) => get<Why>(at('runs', run, 'why'), undefined, signal) })
  return (
    <Dialog wide title={t('why.title')} onClose={onClose}>
      {why.isPending && <Loading />}
      {why.isError && <Trouble error={why.error} />}
      {why.data && (
        <div className="space-y-4 text-sm">
          <p className="flex items-center gap-2"><Badge tone={why.data.recordings_hold ? 'good' : 'warn'}>{t(why.data.recordings_hold ? 'why.hold' : 'why.nothold')}</Badge></p>
          <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1 text-xs"><dt className="text-ink-3">{t('why.prompthash')}</dt><dd className="font-mono break-all">{why.data.prompt_hash}</dd><dt className="text-ink-3">{t('why.recording')}</dt><dd className="font-mono break-all">{why.data.recording_hash}</dd></dl>
          <div><h3 className="eyebrow mb-1">{t('why.tools')}</h3><ul className="space-y-0.5">{why.data.tool_calls.map((c, i) => <li key={i} className="font-mono text-xs">{c.tool} · {c.code} · {c.args_hash.slice(0, 12)}… → {c.result_hash.slice(0, 12)}…</li>)}</ul></div>
          <div><h3 className="eyebrow mb-1">{t('why.prompt')}</h3>{why.data.withheld ? <p className="text-ink-2">{t('why.withheld')}</p> : why.data.prompt.map((m, i) => <details key={i} className="border-b border-line py-1"><summary>{m.role} <span className="text-xs text-ink-3">{m.text.slice(0, 80)}</span></summary><pre className="mt-1 rounded-md bg-sunken p-2 font-mono text-xs break-words whitespace-pre-wrap">{m.text}</pre></details>)}</div>
        </div>
      )}
    </Dialog>
  )
}
