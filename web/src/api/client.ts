// The one way to the server. Addresses are made from the place where this script lies, so that
// the interface works below any path.

export const home = new URL(import.meta.env.DEV ? '/' : '..', import.meta.url).pathname.replace(/\/$/, '')

export interface FieldError { pointer: string; detail: string }

// Problem is an answer of the server that is no success, or the lack of one (status 0).
export class Problem extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    readonly detail: string,
    readonly fields: FieldError[] = [],
    readonly body: Record<string, unknown> = {},
  ) {
    super(detail || code)
  }
}

// passes reports whether the same request may be answered later: nobody answered, the server bade to
// wait, or it failed.
export const passes = (e: unknown) => e instanceof Problem && (e.status === 0 || e.status === 429 || e.status >= 500)

// A pasted token is kept for this tab alone, and is gone when the tab or the session ends.
const tokenKey = 'kaoju-token'

export const credential = {
  get: () => sessionStorage.getItem(tokenKey) ?? '',
  set: (token: string) => sessionStorage.setItem(tokenKey, token),
  clear: () => sessionStorage.removeItem(tokenKey),
}

export interface Call {
  method?: string
  body?: unknown
  form?: FormData
  query?: Record<string, string | number | undefined | null>
  headers?: Record<string, string>
  key?: string
  ifMatch?: string
  signal?: AbortSignal
}

export function place(path: string, query?: Call['query']): string {
  const q = new URLSearchParams()
  for (const [k, v] of Object.entries(query ?? {})) if (v !== undefined && v !== null && v !== '') q.set(k, String(v))
  const s = q.toString()
  return home + path + (s ? '?' + s : '')
}

export function headers(call: Call = {}): Headers {
  const h = new Headers(call.headers)
  if (!h.has('Accept')) h.set('Accept', 'application/json')
  const token = credential.get()
  if (token) h.set('Authorization', 'Bearer ' + token)
  if (call.body !== undefined) h.set('Content-Type', 'application/json')
  if (call.key) h.set('Idempotency-Key', call.key)
  if (call.ifMatch) h.set('If-Match', call.ifMatch)
  return h
}

// lost is called when the server no longer knows who is asking.
let lost: () => void = () => {}
export function onLost(fn: () => void) {
  lost = fn
}

// send asks the server; what is no success is thrown.
export async function send(path: string, call: Call = {}): Promise<Response> {
  let res: Response
  try {
    res = await fetch(place(path, call.query), {
      method: call.method ?? 'GET',
      headers: headers(call),
      body: call.form ?? (call.body === undefined ? undefined : JSON.stringify(call.body)),
      signal: call.signal,
      credentials: 'same-origin',
      cache: 'no-store',
    })
  } catch (e) {
    if (call.signal?.aborted) throw e
    throw new Problem(0, 'unreachable', '')
  }
  if (res.ok) return res
  const p = await problem(res)
  if (p.status === 401 && path !== '/api/session') lost()
  throw p
}

export async function problem(res: Response): Promise<Problem> {
  try {
    const b = (await res.json()) as Record<string, unknown>
    return new Problem(res.status, String(b.code ?? 'internal'), String(b.detail ?? b.title ?? ''), (b.errors as FieldError[]) ?? [], b)
  } catch {
    return new Problem(res.status, 'internal', '')
  }
}

export async function get<T>(path: string, query?: Call['query'], signal?: AbortSignal): Promise<T> {
  return (await (await send(path, { query, signal })).json()) as T
}

export async function post<T>(path: string, body: unknown, call: Call = {}): Promise<T> {
  const res = await send(path, { method: 'POST', body, ...call })
  return (res.status === 204 ? undefined : await res.json()) as T
}

export async function change<T>(method: string, path: string, body?: unknown, call: Call = {}): Promise<T> {
  const res = await send(path, { method, body, ...call })
  const text = await res.text()
  return (text ? JSON.parse(text) : undefined) as T
}

// filename is what a Content-Disposition header calls a file; "" where it names none. Only the form
// with a star is encoded (RFC 6266, RFC 8187): in the other a percent sign is one.
export function filename(disposition: string): string {
  const coded = /;\s*filename\*\s*=\s*utf-8'[^']*'([^;\s]*)/i.exec(disposition)?.[1]
  if (coded) {
    try {
      return decodeURIComponent(coded)
    } catch { /* What is not encoded well is no name. */ }
  }
  const plain = /;\s*filename\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;\s]+))/i.exec(disposition)
  return plain?.[1]?.replace(/\\(.)/g, '$1') ?? plain?.[2] ?? ''
}

// download fetches a file with the caller's credentials and hands it to the browser.
export async function download(path: string, name: string, query?: Call['query']) {
  const res = await send(path, { query, headers: { Accept: '*/*' } })
  handOver(await res.blob(), filename(res.headers.get('Content-Disposition') ?? '') || name)
}

// handOver gives the browser a file to save.
export function handOver(file: Blob, name: string) {
  const url = URL.createObjectURL(file)
  try {
    const a = document.createElement('a')
    a.href = url
    a.download = name
    a.click()
  } finally {
    // The browser may begin to read only after the click.
    setTimeout(() => URL.revokeObjectURL(url), 10_000)
  }
}

// once makes a key by which a repeated request is known as the same.
export const once = () => crypto.randomUUID()

export const at = (...parts: string[]) => '/api/' + parts.map(encodeURIComponent).join('/')
