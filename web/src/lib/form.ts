// A form for the arguments of a tool, read off its JSON schema: a field for each property of the object.

export type Kind = 'text' | 'long' | 'integer' | 'number' | 'boolean' | 'choice' | 'json'

export interface Field {
  name: string; kind: Kind; required: boolean; description: string
  choices: unknown[]; min?: number; max?: number; longest?: number; shortest?: number; preset: string
}

type Schema = Record<string, unknown>

const object = (v: unknown): Schema => (typeof v === 'object' && v !== null && !Array.isArray(v) ? (v as Schema) : {})
const text = (v: unknown) => (typeof v === 'string' ? v : '')
const count = (v: unknown) => (typeof v === 'number' ? v : undefined)

function kind(s: Schema): Kind {
  if (Array.isArray(s.enum) || 'const' in s) return 'choice'
  const types = (Array.isArray(s.type) ? s.type : [s.type]).filter((x) => x !== 'null')
  if (types.length !== 1) return 'json'
  switch (types[0]) {
    case 'string': return (count(s.maxLength) ?? Infinity) > 1000 ? 'long' : 'text'
    case 'integer': case 'number': case 'boolean': return types[0]
    default: return 'json'
  }
}

// fields are those of a schema, in its order. What has no field of its own kind is written as JSON.
export function fields(schema: unknown): Field[] {
  const s = object(schema)
  const required = Array.isArray(s.required) ? s.required : []
  return Object.entries(object(s.properties)).map(([name, v]) => {
    const p = object(v)
    const k = kind(p)
    const choices = 'const' in p ? [p.const] : Array.isArray(p.enum) ? p.enum : []
    const preset = k === 'choice' ? choices.findIndex((c) => c === p.default) : p.default
    return {
      name, kind: k, required: required.includes(name), description: text(p.description), choices,
      min: count(p.minimum), max: count(p.maximum), longest: count(p.maxLength), shortest: count(p.minLength),
      preset: k === 'choice' ? (preset === -1 ? '' : String(preset)) : p.default === undefined ? '' : k === 'json' ? JSON.stringify(p.default) : String(p.default),
    }
  })
}

export type Faulty = { name: string; what: 'missing' | 'number' | 'json' }

// collect makes the arguments of what was written into the fields, or says which can't be used. A field
// that was left empty is no argument. The values of choices are their places in the list.
export function collect(list: Field[], written: Record<string, string>): { args: Record<string, unknown>; faults: Faulty[] } {
  const args: Record<string, unknown> = {}
  const faults: Faulty[] = []
  for (const f of list) {
    const v = written[f.name] ?? ''
    const given = f.kind === 'text' || f.kind === 'long' ? v !== '' : v.trim() !== ''
    if (!given) {
      if (f.required) faults.push({ name: f.name, what: 'missing' })
      continue
    }
    switch (f.kind) {
      case 'text': case 'long': args[f.name] = v; break
      case 'boolean': args[f.name] = v === 'true'; break
      case 'choice': args[f.name] = f.choices[Number(v)]; break
      case 'integer': case 'number': {
        const n = Number(v)
        if (!Number.isFinite(n) || (f.kind === 'integer' && !Number.isSafeInteger(n))) faults.push({ name: f.name, what: 'number' })
        else args[f.name] = n
        break
      }
      case 'json':
        try { args[f.name] = JSON.parse(v) as unknown } catch { faults.push({ name: f.name, what: 'json' }) }
    }
  }
  return { args, faults }
}
