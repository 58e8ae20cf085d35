import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

// What is built goes into the Go package that embeds it. Addresses are relative, so that the
// interface works below any path, and the nonce is filled in by the server with each page.
export default defineConfig({
  base: './',
  plugins: [react(), tailwindcss()],
  html: { cspNonce: '__KAOJU_NONCE__' },
  build: {
    outDir: '../internal/web/dist',
    emptyOutDir: true,
    target: 'es2023',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // What every page loads is in two files, not in one for each part that two screens share.
    rolldownOptions: {
      output: {
        advancedChunks: {
          groups: [
            { name: 'base', test: /node_modules[\\/](react|react-dom|react-router|scheduler|@tanstack[\\/](query-core|react-query))[\\/]/, priority: 2 },
            { name: 'parts', test: /src[\\/](ui|api|lib)[\\/]|src[\\/](session|brought|i18n[\\/]index)|src[\\/]ask[\\/](scope|select)|src[\\/]screens[\\/]pending|lucide-react/, minShareCount: 2, priority: 1 },
          ],
        },
      },
    },
    license: { fileName: 'licenses.md' },
  },
})
