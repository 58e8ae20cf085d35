import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useMemo, useState } from 'react'

import { at } from '../api/client'
import { useErrand } from '../api/errand'
import type { Citation, Proposal, Run, Tool } from '../api/types'
import { useWords } from '../i18n'
import { collect, fields, type Field as Part, type Faulty } from '../lib/form'
import { WaitingCard } from '../screens/card'
import { Badge, Button, Field, Trouble } from '../ui/basic'
import { Dialog } from '../ui/dialog'

// about are the documents that a call may be about: those that the answer cites in the version in force.
export function about(run: Run): Citation[] {
  return run.citations.filter((c, i, all) => !c.withheld && c.status === 'published' && all.findIndex((x) => !x.withheld && x.document_id === c.document_id) === i)
}

// CallDialog proposes to call a tool, with the answer as the evidence. It carries nothing out: what comes of
// it is a card, on which the person decides.
export default function CallDialog({ run, tools, onClose }: { run: Run; tools: Tool[]; onClose: () => void }) {
  const { t, word } = useWords()
  const [name, setName] = useState(tools[0]!.name)
  const [made, setMade] = useState<Proposal | null>(null)
  const tool = tools.find((x) => x.name === name) ?? tools[0]!
  return (
    <Dialog wide title={t('call.title')} onClose={onClose}>
      {made ? <WaitingCard id={made.approval_id} /> : (
        <div className="space-y-4">
          <Field label={t('approvals.tool')}>
            <select className="field" value={tool.name} onChange={(e) => setName(e.target.value)} data-tool>{tools.map((x) => <option key={x.name} value={x.name}>{word('toolname', x.name)}</option>)}</select>
          </Field>
          <div className="text-sm text-ink-2">
            <p>{word('tooltext', tool.name) === tool.name ? <span lang="en">{tool.description}</span> : word('tooltext', tool.name)}</p>
            <p className="mt-1 flex flex-wrap gap-1.5"><Badge>{word('sensitivity', tool.sensitivity)}</Badge><Badge tone={tool.effect === 'outside' ? 'warn' : 'mute'}>{tool.effect === 'outside' ? t('approvals.outside', { host: tool.host }) : t('approvals.recorded')}</Badge><Badge>{t(tool.decision ? 'call.decides' : 'call.atonce')}</Badge></p>
          </div>
          <Form key={tool.name} run={run} tool={tool} onMade={setMade} />
        </div>
      )}
    </Dialog>
  )
}

function Form({ run, tool, onMade }: { run: Run; tool: Tool; onMade: (p: Proposal) => void }) {
  const { t } = useWords()
  const cache = useQueryClient()
  const docs = useMemo(() => about(run), [run])
  // The document and its version are chosen among what is cited, not written.
  const parts = useMemo(() => fields(tool.schema).filter((f) => f.name !== 'object_id' && f.name !== 'version'), [tool])
  const [doc, setDoc] = useState(0)
  const [written, setWritten] = useState<Record<string, string>>(() => Object.fromEntries(parts.map((f) => [f.name, f.preset])))
  const [faults, setFaults] = useState<Faulty[]>([])
  const ask = useErrand()
  const propose = useMutation({
    mutationFn: (args: Record<string, unknown>) => ask<Proposal>(at('tools', tool.name, 'proposals'), { run_id: run.run_id, arguments: args }),
    onSuccess: (p) => { onMade(p); return cache.invalidateQueries({ queryKey: ['approvals'] }) },
  })
  const send = () => {
    const found = collect(parts, written)
    setFaults(found.faults)
    const c = docs[doc]
    if (c && found.faults.length === 0) propose.mutate({ object_id: c.document_id, version: String(c.version), ...found.args })
  }
  return (
    <form className="space-y-3" noValidate onSubmit={(e) => { e.preventDefault(); send() }}>
      <Field label={t('call.about')}>
        <select className="field" name="object_id" value={doc} onChange={(e) => setDoc(Number(e.target.value))}>{docs.map((c, i) => <option key={c.document_id} value={i}>{c.title} v{c.version}</option>)}</select>
      </Field>
      {parts.map((f) => <Input key={f.name} tool={tool.name} field={f} value={written[f.name] ?? ''} fault={faults.find((x) => x.name === f.name)} onChange={(v) => setWritten({ ...written, [f.name]: v })} />)}
      {propose.isError && <Trouble error={propose.error} kept={t('error.kept.form')} />}
      <p className="text-xs text-ink-3">{t(tool.decision ? 'call.nothing' : 'call.runs')}</p>
      <div className="flex justify-end"><Button type="submit" look="primary" busy={propose.isPending} data-propose-call>{t(tool.decision ? 'call.go' : 'call.run')}</Button></div>
    </form>
  )
}

// Input is one argument of a tool. Its name and description are the tool's own words.
function Input({ tool, field: f, value, fault, onChange }: { tool: string; field: Part; value: string; fault: Faulty | undefined; onChange: (v: string) => void }) {
  const { t, word } = useWords()
  const key = `${tool}.${f.name}`
  const own = (group: string, otherwise: string) => (word(group, key) === key ? otherwise : word(group, key))
  const common = { name: f.name, value, 'aria-invalid': fault ? true : undefined, 'aria-required': f.required || undefined, onChange: (e: { target: { value: string } }) => onChange(e.target.value) }
  const options = f.kind === 'boolean' ? [['true', t('call.yes')], ['false', t('call.no')]] : f.choices.map((c, i) => [String(i), typeof c === 'string' ? c : JSON.stringify(c)])
  return (
    <div>
      <Field label={own('argument', f.name) + (f.required ? '' : ` (${t('call.optional')})`)} hint={own('argumenttext', f.description) || undefined}>
        {f.kind === 'choice' || f.kind === 'boolean' ? <select className="field" {...common}><option value="">–</option>{options.map(([v, name]) => <option key={v} value={v}>{name}</option>)}</select>
          : f.kind === 'integer' || f.kind === 'number' ? <input className="field num" type="number" step={f.kind === 'integer' ? 1 : 'any'} min={f.min} max={f.max} {...common} />
            : f.kind === 'text' ? <input className="field" maxLength={f.longest} {...common} />
              : <textarea className={f.kind === 'json' ? 'field font-mono' : 'field'} rows={3} maxLength={f.kind === 'long' ? f.longest : undefined} spellCheck={f.kind === 'long'} placeholder={f.kind === 'json' ? 'JSON' : undefined} {...common} />}
      </Field>
      {fault && <p role="alert" data-fault={f.name} className="mt-1 text-xs text-bad">{t(`call.fault.${fault.what}`)}</p>}
    </div>
  )
}
