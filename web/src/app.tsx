import { lazy } from 'react'
import { Link, Route, Routes } from 'react-router'

import { Ask } from './ask/ask'
import { Uploads } from './documents/uploading'
import { useWords } from './i18n'
import { useSession } from './session'
import { Shell } from './shell'
import { Empty, Loading, Page } from './ui/basic'
import { Part } from './ui/part'

const SignIn = lazy(() => import('./screens/signin'))
const Documents = lazy(() => import('./documents/list'))
const DocumentPage = lazy(() => import('./documents/document'))
const Approvals = lazy(() => import('./screens/approvals'))
const Drafts = lazy(() => import('./screens/drafts'))
const Bench = lazy(() => import('./screens/search'))
const Evaluation = lazy(() => import('./screens/evaluation'))
const Ledger = lazy(() => import('./screens/ledger'))
const People = lazy(() => import('./screens/people'))
const SettingsPage = lazy(() => import('./screens/settings'))

export function App() {
  const { state } = useSession()
  if (state === 'asking') return <div className="p-8"><Loading /></div>
  if (state !== 'in') return <Part waiting={<div className="p-8"><Loading /></div>}><SignIn /></Part>
  return (
    <Uploads><Routes>
      <Route element={<Shell />}>
        <Route index element={<Ask />} />
        <Route path="ask/:conversation" element={<Ask />} />
        <Route path="runs/:run" element={<Ask />} />
        <Route path="documents" element={<Documents />} />
        <Route path="documents/:id" element={<DocumentPage />} />
        <Route path="approvals" element={<Approvals />} />
        <Route path="approvals/:id" element={<Approvals />} />
        <Route path="drafts" element={<Drafts />} />
        <Route path="drafts/:id" element={<Drafts />} />
        <Route path="search" element={<Bench />} />
        <Route path="evaluation" element={<Evaluation />} />
        <Route path="ledger" element={<Ledger />} />
        <Route path="people" element={<People />} />
        <Route path="settings" element={<SettingsPage />} />
        <Route path="*" element={<Unknown />} />
      </Route>
    </Routes></Uploads>
  )
}

function Unknown() {
  const { t } = useWords()
  return (
    <Page title={t('unknown.title')}>
      <Empty title={t('unknown.title')} actions={<Link to="/" className="text-sm text-accent underline">{t('unknown.home')}</Link>}>{t('unknown.text')}</Empty>
    </Page>
  )
}
