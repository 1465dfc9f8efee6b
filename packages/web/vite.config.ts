/** How the interface is built: files named by their content, nothing inline, so that the strict policy holds. */
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { compressed } from './bundling/compressed.ts';
import { contract } from './bundling/contract.ts';
import { sample } from './bundling/sample.ts';

/** A development server with hot reload asks this service (`npm run web`). */
const service = process.env.CLEW_URL ?? 'http://127.0.0.1:8080';

export default defineConfig({
  root: import.meta.dirname,
  // The page says where it lives (`<base>`), so that the service works behind a path of a proxy.
  base: './',
  plugins: [react(), contract(), compressed(), sample()],
  build: {
    target: 'es2023',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 1000,
    reportCompressedSize: false,
    rolldownOptions: {
      checks: { pluginTimings: false },
      // Modules that several pages share are one file: in files of their own, a page would need 50 requests.
      output: {
        codeSplitting: {
          groups: [{ name: 'shared', test: /[\\/]packages[\\/]\w+[\\/]src[\\/]/, minShareCount: 4 }],
        },
      },
      // Schemas that no page uses are left out: they only describe.
      treeshake: {
        manualPureFunctions: ['Type'],
        moduleSideEffects: (id) => !/[\\/]packages[\\/](?:api|client|model)[\\/]src[\\/]/.test(id),
      },
    },
  },
  worker: { format: 'es' },
  server: { proxy: { '/api': service } },
});
