import { useQuery } from '@tanstack/react-query'

import { at, get } from '../api/client'
import { recorded, whole } from '../api/pages'
import type { KnowledgeBase, List, Model, Run, System } from '../api/types'
import { useWords, type Words } from '../i18n'

export const useSystem = () => useQuery({ queryKey: ['system'], queryFn: ({ signal }) => get<System>(at('system'), undefined, signal), staleTime: 60_000 })

// useBases are the knowledge bases of the person, or those that an administrator and another person both see.
export const useBases = (as = '') => useQuery({
  queryKey: as ? ['bases', 'as', as] : ['bases'], ...(as ? recorded : { staleTime: 30_000 }),
  queryFn: ({ signal }) => whole((cursor) => get<List<KnowledgeBase>>(at('knowledge-bases'), { limit: 200, cursor, view_as: as }, signal)),
})

// useBaseName names the knowledge base of a citation or a source, where the person may see it now. Lists
// of answers tell the id alone.
export function useBaseName(): (c: { knowledge_base_id: string; knowledge_base?: string }) => string {
  const bases = useBases()
  return (c) => c.knowledge_base ?? bases.data?.items.find((b) => b.id === c.knowledge_base_id)?.name ?? ''
}

export function goes(m: Pick<Model, 'remote' | 'host'>, w: Words): string {
  return m.remote ? w.t('scope.goes', { host: m.host }) : w.t('scope.stays')
}

function before(iso: string): string {
  return new Date(Date.parse(iso) - 1).toISOString().slice(0, 10)
}

// ScopeLine says where a run could look, by which versions, where its text went, and what it used
// of its limits.
export function ScopeLine({ run }: { run: Run }) {
  const w = useWords()
  const bases = useBases()
  const names = new Map(bases.data?.items.map((b) => [b.id, b.name]))
  const s = run.scope
  const known = s.knowledge_base_ids.flatMap((id) => names.get(id) ?? [])
  const lost = bases.isSuccess ? s.knowledge_base_ids.length - known.length : 0
  const { updated_from: from, updated_to: to } = s
  const parts = [
    bases.isPending ? '…' : [...known, ...(lost > 0 ? [w.t('scope.lost', { n: lost })] : [])].join(w.lang === 'zh' ? '、' : ', ') || w.t('scope.none'),
    s.doc_key && w.t('scope.key', { k: s.doc_key }),
    from || to ? w.t('scope.dates', { a: from?.slice(0, 10) ?? '…', b: to ? before(to) : '…' }) : w.t('scope.anydate'),
    s.as_of ? w.t('scope.asof', { d: s.as_of.slice(0, 16).replace('T', ' ') }) : w.t('scope.current'),
    goes(run.model, w),
    w.t('scope.used', {
      s: run.use.search_pages, sm: run.limits.search_pages, d: run.use.documents, dm: run.limits.documents,
      c: w.number(run.use.text), cm: w.number(run.limits.documents * run.limits.document_text),
    }),
  ].filter(Boolean)
  return (
    <p data-scope className="num flex flex-wrap gap-x-2 text-xs text-ink-3">
      {parts.map((p, i) => <span key={i}>{p}{i < parts.length - 1 && <span aria-hidden className="ml-2">·</span>}</span>)}
    </p>
  )
}
