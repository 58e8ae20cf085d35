import type { Feedback, Run } from '../api/types'
import { figures } from './text'

// quoted writes a text as a string of YAML, which every string of JSON is, but for what ends lines there.
const quoted = (s: string) => JSON.stringify(s).replace(/[\u007f-\u009f\u2028\u2029\ufeff]/g, (c) => '\\u' + c.charCodeAt(0).toString(16).padStart(4, '0'))

const list = (of: string[]) => `[${of.map(quoted).join(', ')}]`

// literals are the numbers, dates and codes of a sentence; the sentence itself where it has none.
function literals(sentence: string): string[] {
  const found = figures(sentence, []).filter((f) => f.kind === 'missing').map((f) => f.text)
  return found.length > 0 ? [...new Set(found)] : [sentence]
}

// cases writes a person's marks as a question file of evaluations. A sentence that was called correct
// has to be said again in its numbers and codes, from the documents that it cited; one that was called
// wrong must not be said again. What is unclear, or leans on what the person may not see any more, makes
// no case. A case is named by its number: who gets the file may not be one who sees the run.
export function cases(marks: Feedback[], runs: Run[], who: string, chinese: boolean): string {
  const byId = new Map(runs.map((r) => [r.run_id, r]))
  const out: string[] = []
  for (const m of marks) {
    const run = byId.get(m.run_id)
    if (m.withheld || m.verdict === 'unclear' || !m.question || (m.verdict === 'wrong' && !m.sentence)) continue
    const check = run?.checks.find((c) => c.sentence === m.sentence)
    const keys = [...new Set((run?.citations ?? []).filter((c) => !c.withheld && (!check || check.labels.includes(c.label))).map((c) => c.doc_key))]
    const lines = [`  - id: ${quoted(`mark-${out.length + 1}`)}`, `    as: ${quoted(who)}`, `    question: ${quoted(m.question)}`]
    if (m.verdict === 'wrong') lines.push(`    lacks: ${list([m.sentence])}`)
    else {
      if (keys.length > 0) lines.push(`    doc_keys: ${list(keys)}`)
      if (m.sentence) lines.push(`    contains: ${list(literals(m.sentence))}`)
    }
    if (lines.length === 3) continue
    if (m.note) lines.unshift(...m.note.split(/\r\n?|\n|[\u0085\u2028\u2029]/).map((l) => `  # ${l}`))
    out.push(lines.join('\n'))
  }
  return out.length > 0 ? `format: 1\nlanguage: ${chinese ? 'zh' : 'en'}\ncases:\n${out.join('\n')}\n` : ''
}
