import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { BrowserRouter } from 'react-router'

import './brought'
import { App } from './app'
import { home, Problem } from './api/client'
import { begin, Language, type Spoken } from './i18n'
import { apply, kept } from './lib/theme'
import { Signed } from './session'
import { Boundary, Unspoken } from './ui/part'
import './styles.css'

apply(kept())

// What the server refused is not asked for again; what did not arrive is.
const cache = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 5_000,
      retry: (n, e) => n < 2 && e instanceof Problem && (e.status === 0 || e.status >= 502),
      refetchOnWindowFocus: true,
    },
  },
})

const root = createRoot(document.getElementById('root')!)

const show = (words: Spoken) => root.render(
  <StrictMode>
    <Language begins={words}>
      <QueryClientProvider client={cache}>
        <Signed>
          <BrowserRouter basename={home || '/'}><Boundary><App /></Boundary></BrowserRouter>
        </Signed>
      </QueryClientProvider>
    </Language>
  </StrictMode>,
)

begin().then(show, () => root.render(<Unspoken />))
