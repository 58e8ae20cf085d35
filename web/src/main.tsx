import { QueryClientProvider } from '@tanstack/react-query'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { BrowserRouter } from 'react-router'

import './brought'
import { App } from './app'
import { remembering } from './api/cache'
import { home } from './api/client'
import { begin, Language, type Spoken } from './i18n'
import { apply, kept } from './lib/theme'
import { Signed } from './session'
import { Boundary, Unspoken } from './ui/part'
import './styles.css'

apply(kept())

// Below a path the first page has a slash at its end: what is named relative to it is looked for there.
if (location.pathname === home) history.replaceState(history.state, '', `${home}/${location.search}${location.hash}`)

const cache = remembering(new BroadcastChannel(`kaoju ${home}`))

const root = createRoot(document.getElementById('root')!)

const show = (words: Spoken) => root.render(
  <StrictMode>
    <Language begins={words}>
      <QueryClientProvider client={cache}>
        <Signed>
          <BrowserRouter basename={`${home}/`}><Boundary><App /></Boundary></BrowserRouter>
        </Signed>
      </QueryClientProvider>
    </Language>
  </StrictMode>,
)

begin().then(show, () => root.render(<Unspoken />))
