// The wire types of the public interface, as far as the screens read them. Their names and
// meanings are those of openapi.json.

export interface List<T> { items: T[]; next_cursor: string | null }

export interface Me { user_id: string; tenant_id: string; display_name: string; roles: string[]; groups: string[] }

export interface Model { configured: boolean; name: string; host: string; remote: boolean }

export interface Limits {
  steps: number; repairs: number; tool_calls: number; search_pages: number; page_size: number; documents: number
  document_text: number; window: number; context_chars: number; tokens: number | null; total_ms: number; request_ms: number
}

export interface System {
  version: string
  model: Model; verifier: Model; reranker: Model
  embedding: Model & { pending: number; refused: number }
  chunking?: { pending: number }
  policy: { limits: Limits; upload_bytes: number }
  local_only: boolean
  model_health?: { condition: string; since: string | null }
}

export interface SignInWays { password: boolean; providers: { name: string; login: string }[] }

export interface KnowledgeBase {
  id: string; name: string; publishing: 'proposal' | 'direct'; role: 'reader' | 'editor' | 'manager'; lock_version: number; created_at: string
}

export interface Grant { principal: string; role: string }

export interface Reader {
  user_id: string; display_name?: string; service?: boolean; may_read: boolean; obstacle?: string; level: string
  grants: Grant[]; policy: string; policy_principals: string[]
}

export interface Document {
  id: string; knowledge_base_id: string; doc_key: string; title: string; version: number; status: string
  source_uri: string; access_policy?: unknown; checksum: string; media_type: string; language: string; size: number
  labels: string[]; notices: string[]; chunk_count: number; char_count: number; lock_version: number
  created_at: string; updated_at: string; published_at: string | null
}

export interface Upload {
  document_id: string; doc_key: string; version: number; job_id: string | null; unchanged: boolean; published: boolean
}

export interface Job {
  id: string; state: 'queued' | 'running' | 'succeeded' | 'failed' | 'cancelled'; stage: string; done: number; total: number
  document_id: string; notices: string[]; error: { code: string; detail: string } | null
  contents: { path: string; doc_key: string; document_id: string | null; version: number; job_id: string | null; error: { code: string; detail: string } | null }[]
}

export interface Span { start: number; end: number }

export interface Locator { kind: string; [key: string]: unknown }

export interface Chunk {
  id: string; chunk_no: number; text: string; context: string; heading_path: string[]; locator: Locator; span: Span
  segments: { span: Span; locator: Locator }[]
}

export interface Quote { text: string; span: Span; locator: Locator }

export interface Citation {
  label: string; document_id: string; knowledge_base_id: string; knowledge_base?: string; doc_key: string; title: string; version: number; chunk_id: string; locator: Locator
  span: Span; source_uri: string; excerpt: string; quotes: Quote[]; truncated: boolean; status: string; published_at?: string | null; withheld?: boolean
}

export interface Reason { code: string; said: string; found: string }

export interface Check {
  sentence: string; labels: string[]; verdict: Verdict; decided_by: string; quote: string; score: number; reasons: Reason[]
}

export type Verdict = 'supported' | 'partly' | 'not_found' | 'contradicted'

export interface Side {
  label: string; document_id: string; knowledge_base_id: string; knowledge_base?: string; doc_key: string; title: string; version: number; status: string
  published_at: string | null; quote: Quote
}

export interface Conflict { kind: string; sides: Side[] }

export interface Lack { code: 'absent' | 'unmet' | 'unanswered' | 'statement' | 'other'; about: string }

export interface Usage {
  calls: number; calls_with_usage: number; prompt_tokens: number | null; completion_tokens: number | null
  total_tokens: number | null; estimated_tokens: number | null; messages: number; characters: number; cost: number | null
}

export interface Run {
  run_id: string; conversation_id: string; state: string; finish_reason: string; route: string; engine: 'model' | 'rules'
  answer: string; sections: { conclusion: string; basis: string; to_confirm: string; next_steps: string }
  citations: Citation[]; checks: Check[]; conflicts: Conflict[]; missing: string[]; lacking: Lack[]; needs_confirmation: boolean
  notices: string[]; usage: Usage; reduced: boolean
  kind: string; goal: string
  scope: { knowledge_base_ids: string[]; doc_key: string; updated_from: string | null; updated_to: string | null; as_of: string | null }
  model: Model; tools: string[]; limits: Limits
  use: { steps: number; repairs: number; tool_calls: number; search_pages: number; documents: number; text: number; tokens: number; elapsed_ms: number }
  attempt: number; step: number; read_not_cited: Citation[]; found_not_read: { document_id: string; title: string; version: number; chunk_id: string }[]
  created_at: string; started_at: string | null; ended_at: string | null
  integrity: Integrity | null
}

export interface RunRequest {
  kind: 'answer' | 'draft'; goal: string; conversation_id?: string; knowledge_base_ids?: string[]; doc_key?: string
  updated_from?: string; updated_to?: string; allow_rules_fallback?: boolean; as_of?: string
}

export interface Source {
  run_id: string; ref: string; cited: boolean; document_id: string; knowledge_base_id: string; doc_key: string; title: string
  version: number; chunk_id: string; chunk_ids: string[]; locator: Locator; span: Span; source_uri: string; excerpt: string
  excerpt_hash: string; truncated_before: boolean; truncated_after: boolean; truncated: boolean; status_then: string; read_at: string
  current: {
    status: string; version: number | null; document_id: string | null; change: string | null; span: Span | null
    lines: DiffLine[]; numbers: DiffNumber[]
  }
  integrity: Integrity
}

export interface RunEvent {
  v: number; id: string; sequence: number; run_id: string; type: string; time: string; attempt: number
  data: Record<string, unknown>
}

export interface Conversation { conversation_id: string; title: string; runs: number; updated_at: string }

export interface DiffLine { op: 'added' | 'removed'; text: string; span: Span }
export interface DiffNumber { heading_path: string[]; old: string; new: string; unit: string; old_unit: string; old_sentence: string; new_sentence: string }
export interface DiffSide { document_id: string; doc_key: string; version: number; status: string; title: string }
export interface DiffSection {
  heading_path: string[]; former_path: string[] | null; moved: boolean; lines_added: number; lines_removed: number; lines: DiffLine[]
}
export interface DiffCounts {
  sections_added: number; sections_removed: number; sections_changed: number; sections_moved: number
  lines_added: number; lines_removed: number; numbers_changed: number
}
export interface Diff {
  from: DiffSide; to: DiffSide; added: DiffSection[]; removed: DiffSection[]; changed: DiffSection[]; moved: DiffSection[]
  numbers: DiffNumber[]; counts: DiffCounts; truncated: boolean; policy_differs: boolean | null
}

export interface Proposal {
  proposal_id: string; approval_id: string; kind: 'publish' | 'archive' | 'tool'; run_id: string; document_id: string; knowledge_base_id: string
  doc_key: string; title: string; version: number; from_version: number | null; lock_version: number; status: string
  created_at: string; expires_at: string; decided_at: string | null; approved: boolean | null
  summary: (DiffCounts & { policy_differs: boolean }) | null; difference: Diff | null
  call?: {
    tool: string; sensitivity: string; knowledge_base_name: string; args_hash: string; arguments?: unknown; evidence_run_id?: string
    effect: string; host: string; checksum?: string; size?: number
  }
  task?: { task_id: string; status: string; code?: string; result_uri: string }
  withheld?: boolean
}

export interface DraftVersion {
  draft_id: string; run_id: string; version: number; title: string; body_hash: string; reduced: boolean; saved_at: string; created_at: string
}
export interface Draft extends DraftVersion {
  latest_version: number; goal: string; body: string; citations: Citation[]; checks: Check[]; needs_confirmation: boolean; integrity: Integrity | null
}

export interface Feedback {
  run_id: string; user_id: string; question: string; sentence: string; verdict: 'correct' | 'wrong' | 'unclear'; note: string
  withheld: boolean; created_at: string; updated_at: string
}

export interface Hit {
  chunk_id: string; document_id: string; knowledge_base_id: string; doc_key: string; title: string; version: number
  heading_path: string[]; locator: Locator; span: Span; snippet: string; score: number
  ranks: { keyword: number | null; semantic: number | null; rerank: number | null }; matched: string[]
}
export interface SearchResult {
  items: Hit[]; next_cursor: string | null; took_ms: number; legs: string[]; skipped: { leg: string; reason: string }[]
}

export interface Entry {
  id: string; sequence?: number; tenant_id: string; kind: string; run_id: string; actor: string; time: string
  body: Record<string, unknown>; previous?: string; hash: string; own_run?: boolean
}
export interface Proof { entry: Entry; index: number; hashes: string[]; checkpoint: string; key: string }

export interface User { id: string; display_name: string; roles: string[]; groups?: string[]; suspended: boolean; service: boolean }
export interface Group { id: string; members: string[] }
export interface Token {
  id: string; name: string; user_id: string; scopes: string[]; created_at: string; expires_at: string | null; last_used_at: string | null
}

export interface Why {
  run_id: string; prompt: { role: string; text: string; calls: unknown[] }[]; prompt_hash: string; recording_hash: string
  recordings_hold: boolean; withheld: boolean; tool_calls: { call_id: string; tool: string; args_hash: string; result_hash: string; code: string }[]
  states: RunEvent[]; decisions: Entry[]; entries: Entry[]; proof: Proof | null
}

export interface Synonyms {
  lines: string[]; words: number; synonyms: number; indexed: boolean; lock_version: number; updated_at: string | null; updated_by: string
}

export interface Tool {
  name: string; description: string; schema: unknown; sensitivity: string; role: string; level: string; evidence: boolean; decision: boolean
  effect: string; host: string
}

export interface EvaluationGroup { group: string; cases: number; passed: number; share: number; low: number; high: number }
export interface Evaluation {
  id: string; name: string; language: string; file: string; file_hash: string; engine: 'rules' | 'model'; model: string; program: string
  k: number; repeat: number; started_at: string; ended_at: string; unfinished: number; groups: EvaluationGroup[]
  retrieval: { cases: number; hit: number; recall: number; mrr: number; ndcg_10: number; right_version: number; forbidden: number } | null
  citation: { answers: number; conclusions: number; conclusions_cited: number; supported: number; partly: number; not_found: number; contradicted: number; old_versions: number } | null
}
export interface EvaluationCase {
  id: string; groups: string[]; as: string; question: string; passed: boolean; tries: number; passes: number; runs: string[]; withheld: boolean; ms: number
  findings: { group: string; code: string; detail: string; try: number; run_id: string }[]
}
export interface EvaluationResult extends Evaluation { cases: EvaluationCase[] }

// Integrity says whether what is stored is what the ledger tells of.
export interface Integrity { verified: boolean; problems: string[]; unproved: string[] }
