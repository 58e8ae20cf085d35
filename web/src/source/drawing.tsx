import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Focus, Maximize, ZoomIn, ZoomOut } from 'lucide-react'
import { memo, useEffect, useMemo, useRef, useState, type KeyboardEvent, type PointerEvent } from 'react'

import { at, Problem, send } from '../api/client'
import type { Locator, Quote } from '../api/types'
import { useWords } from '../i18n'
import { closer, fitted, marked, moved, read, type Box, type Sheet, type Sketch, type View } from '../lib/sketch'
import { Button, Trouble } from '../ui/basic'

// isDrawing reports whether a place is one on a drawing.
export const isDrawing = (l: Locator) => l.kind === 'dxf' || l.kind === 'svg'

// sheetOf is the sheet on which a place is seen.
const sheetOf = (l: Locator | undefined): Sheet | null =>
  l?.kind === 'dxf' && typeof l.shown === 'string' && l.shown !== '' ? { name: l.shown, hidden: l.hidden === true } : null

// Drawing is a sheet of a drawing as the server draws it, made anew of paths and texts, with the places of the quotes
// marked where their words stand. Where the server has no drawing, nothing is shown in its stead: the text below says the same.
export function Drawing({ id, quotes }: { id: string; quotes: Quote[] }) {
  const { t } = useWords()
  const [sheet, setSheet] = useState(sheetOf(quotes[0]?.locator))
  const sketch = useQuery({
    queryKey: ['drawing', id, sheet?.name ?? '', sheet?.hidden ?? false], staleTime: 60_000, retry: false, placeholderData: keepPreviousData,
    queryFn: async ({ signal }) => {
      const res = await send(at('documents', id, 'drawing'), { query: { sheet: sheet?.name, hidden: sheet?.hidden ? 'true' : undefined }, headers: { Accept: 'image/svg+xml' }, signal })
      return read(await res.text())
    },
  })
  if (sketch.isError && !(sheet === null && sketch.error instanceof Problem && sketch.error.status === 404)) {
    return <div className="mb-3"><Trouble error={sketch.error} retry={() => void sketch.refetch()} /></div>
  }
  if (!sketch.data) return null
  const s = sketch.data
  const chosen = sheet ?? s.sheet
  return (
    <figure data-drawing className="mb-3">
      {s.sheets.length > 1 && (
        <label className="mb-2 flex items-center gap-2 text-xs text-ink-2">{t('source.sheet')}
          <select className="field py-0.5 text-xs" value={s.sheets.findIndex((x) => x.name === chosen.name && x.hidden === chosen.hidden)} onChange={(e) => setSheet(s.sheets[Number(e.target.value)] ?? null)}>
            {s.sheets.map((x, i) => <option key={i} value={i}>{x.hidden ? t('source.hiddenblock', { n: x.name }) : x.name}</option>)}
          </select>
        </label>
      )}
      <Table key={`${s.sheet.name} ${s.sheet.hidden}`} sketch={s} quotes={quotes} />
      {s.partial && <figcaption className="mt-1 text-xs text-warn" role="status">{t('source.inpart')}</figcaption>}
    </figure>
  )
}

// Table is where a sheet lies: it can be moved and looked at more closely.
function Table({ sketch, quotes }: { sketch: Sketch; quotes: Quote[] }) {
  const { t } = useWords()
  const places = useMemo(() => marked(sketch, quotes), [sketch, quotes])
  const whole = useMemo(() => ({ x: 0, y: 0, w: sketch.width, h: sketch.height }), [sketch])
  const [view, setView] = useState<View>(() => fitted(sketch, places))
  const ref = useRef<HTMLDivElement>(null)
  const fingers = useRef(new Map<number, { x: number; y: number }>())
  const zoom = (by: number) => setView((v) => closer(v, by, whole))
  useEffect(() => {
    const box = ref.current
    // A turn of the wheel moves the page, as everywhere; with the key for it, or two fingers, it zooms.
    const turn = (e: WheelEvent) => {
      if (!e.ctrlKey && !e.metaKey) return
      e.preventDefault()
      setView((v) => closer(v, e.deltaY < 0 ? 1.2 : 1 / 1.2, whole))
    }
    box?.addEventListener('wheel', turn, { passive: false })
    return () => box?.removeEventListener('wheel', turn)
  }, [whole])
  const key = (e: KeyboardEvent) => {
    const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[e.key]
    if (e.ctrlKey || e.metaKey || e.altKey) return
    if (step) setView((v) => moved(v, step[0]! * v.w * 0.15, step[1]! * v.h * 0.15, whole))
    else if (e.key === '+' || e.key === '=') zoom(1.5)
    else if (e.key === '-') zoom(1 / 1.5)
    else if (e.key === '0') setView(whole)
    else if (e.key === 'Enter' && e.target === ref.current && places.length) setView(fitted(sketch, places))
    else return
    e.preventDefault()
    e.stopPropagation()
  }
  const move = (e: PointerEvent) => {
    const before = fingers.current.get(e.pointerId)
    const box = ref.current?.getBoundingClientRect()
    if (!before || !box) return
    const now = { x: e.clientX, y: e.clientY }
    const other = [...fingers.current].find(([k]) => k !== e.pointerId)?.[1]
    fingers.current.set(e.pointerId, now)
    if (other) {
      const apart = (p: { x: number; y: number }) => Math.hypot(p.x - other.x, p.y - other.y) || 1
      setView((v) => closer(v, apart(now) / apart(before), whole))
      return
    }
    setView((v) => {
      const unit = Math.max(v.w / box.width, v.h / box.height)
      return moved(v, (before.x - now.x) * unit, (before.y - now.y) * unit, whole)
    })
  }
  const lift = (e: PointerEvent) => { fingers.current.delete(e.pointerId) }
  return (
    <>
      <div className="mb-1 flex flex-wrap gap-1" role="group" aria-label={t('source.zoom')}>
        <Button small look="ghost" icon={ZoomIn} aria-label={t('source.zoomin')} data-zoom="in" onClick={() => zoom(1.5)} />
        <Button small look="ghost" icon={ZoomOut} aria-label={t('source.zoomout')} data-zoom="out" onClick={() => zoom(1 / 1.5)} />
        <Button small look="ghost" icon={Maximize} data-zoom="fit" onClick={() => setView(whole)}>{t('source.fit')}</Button>
        {places.length > 0 && <Button small look="ghost" icon={Focus} data-zoom="place" onClick={() => setView(fitted(sketch, places))}>{t('source.toplace')}</Button>}
      </div>
      <div
        ref={ref} tabIndex={0} role="group" aria-label={t('source.drawingkeys')} onKeyDown={key}
        onPointerDown={(e) => { fingers.current.set(e.pointerId, { x: e.clientX, y: e.clientY }); e.currentTarget.setPointerCapture(e.pointerId) }}
        onPointerMove={move} onPointerUp={lift} onPointerCancel={lift}
        className="sketch h-[min(46dvh,420px)] cursor-grab touch-none overflow-hidden rounded-md border border-line bg-surface"
      >
        <svg role="img" aria-label={places.length ? t('source.drawingmarked') : t('source.drawing')} viewBox={`${view.x} ${view.y} ${view.w} ${view.h}`} className="h-full w-full" data-view-box={`${view.x} ${view.y} ${view.w} ${view.h}`}>
          {places.map((p, i) => <Place key={i} box={p} />)}
          <Lines sketch={sketch} />
        </svg>
      </div>
    </>
  )
}

function Place({ box }: { box: Box }) {
  const pad = (box[3] - box[1]) * 0.25
  return <rect data-place className="place" x={box[0] - pad} y={box[1] - pad} width={box[2] - box[0] + 2 * pad} height={box[3] - box[1] + 2 * pad} vectorEffect="non-scaling-stroke" />
}

// Lines are the strokes and texts, which stay as they are while the view moves.
const Lines = memo(function Lines({ sketch }: { sketch: Sketch }) {
  return (
    <>
      {sketch.strokes.map((s, i) => <path key={i} className={s.look} d={s.d} vectorEffect="non-scaling-stroke" fillRule="evenodd" />)}
      {sketch.labels.map((l, i) => l.lines.map((line, k) => <text key={`${i}.${k}`} fontSize={100} textAnchor={line.anchor} transform={line.transform}>{line.text}</text>))}
    </>
  )
})
