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
    license: { fileName: 'licenses.md' },
  },
})
