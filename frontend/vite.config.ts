import { rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { svelte } from '@sveltejs/vite-plugin-svelte'
import { defineConfig } from 'vitest/config'

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))

// vite would empty dist and so delete dist/.gitkeep, without which the Go package cannot be built on a clean clone; so
// only what an earlier build left is removed.
const cleanAssets = {
  name: 'clean-assets',
  apply: 'build' as const,
  buildStart: () => rmSync(here('./dist/assets'), { recursive: true, force: true }),
}

export default defineConfig(({ mode }) => ({
  plugins: [svelte(), cleanAssets],
  resolve: {
    alias: { $lib: here('./src/lib') },
    // Component tests need the browser build of Svelte, which vitest would not choose on its own.
    conditions: mode === 'test' ? ['browser'] : undefined,
  },
  build: {
    target: 'safari15', // WebKitGTK and WebView2
    emptyOutDir: false,
    assetsInlineLimit: 0, // the page's policy allows no data: scripts or fonts
  },
  test: { include: ['src/**/*.test.ts'] },
}))
