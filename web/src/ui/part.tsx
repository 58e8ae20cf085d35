import { Component, Suspense, type ReactNode } from 'react'

import { Problem } from '../api/client'
import { useWords } from '../i18n'
import { Loading, Trouble } from './basic'

const reload = () => location.reload()

// Failed says that a part of the page can't be shown. What did not arrive once does not arrive again
// in the same page, so the way on is to load the page.
export function Failed() {
  const { t } = useWords()
  return <div className="min-w-0 p-4"><Trouble error={new Problem(0, 'part_failed', '')} retry={reload} act={t('reload')} /></div>
}

interface Bounds { place?: string; failed?: ReactNode; children: ReactNode }

// Boundary keeps what fails inside it from taking the rest of the page along. Another place is tried anew.
export class Boundary extends Component<Bounds, { failed: boolean }> {
  override state = { failed: false }

  static getDerivedStateFromError() {
    return { failed: true }
  }

  override componentDidUpdate(before: Bounds) {
    if (this.state.failed && before.place !== this.props.place) this.setState({ failed: false })
  }

  override render() {
    return this.state.failed ? this.props.failed ?? <Failed /> : this.props.children
  }
}

// Part holds what is loaded when it is needed.
export function Part({ place, waiting, children }: { place?: string; waiting?: ReactNode; children: ReactNode }) {
  return <Boundary place={place}><Suspense fallback={waiting === undefined ? <Loading /> : waiting}>{children}</Suspense></Boundary>
}

// Unspoken is the page without its words: it says so in every language.
export function Unspoken() {
  return (
    <div role="alert" className="mx-auto max-w-[60ch] space-y-3 p-8 text-sm">
      <p lang="en">The page could not be loaded. Check the connection and load it again; what was saved is kept.</p>
      <p lang="zh-CN">页面无法加载。请检查网络后重新加载；已保存的内容不会丢失。</p>
      <button type="button" onClick={reload} className="rounded-md border border-line-strong bg-surface px-3 py-1 font-medium">Load again · <span lang="zh-CN">重新加载</span></button>
    </div>
  )
}
