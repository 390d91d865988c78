// The real window, WebKitGTK and all, on a screen in memory. What the page does is tested in a browser, which can be asked
// about it; here is what only the real window can show: that it opens, paints its page and keeps its place.
import { expect, test } from '@playwright/test'
import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { App, programs, scratch, sleep, until } from './app'
import { png } from './png'

const out = fileURLToPath(new URL('./out', import.meta.url))

/** How many different colours a picture has. An empty window has a handful, a page with text in it has hundreds. */
function colours({ rgb }: { rgb: Buffer }): number {
  const seen = new Set<number>()
  for (let i = 0; i < rgb.length; i += 3) seen.add(rgb.readUIntBE(i, 3))
  return seen.size
}

const geometry = async (app: App) => app.screen.xdotool('getwindowgeometry', '--shell', await app.window())

test('opens, shows its page, and stands the next time where it stood', async () => {
  const home = scratch('home')
  const app = await App.start('window', home)
  try {
    await until('a page with text in the window', () => colours(app.screen.picture()) > 30)
    await sleep(500) // fonts and fades
    mkdirSync(out, { recursive: true })
    const picture = app.screen.picture()
    writeFileSync(join(out, 'window.png'), png(picture.width, picture.height, picture.rgb))
    const size = await geometry(app)
    expect(size).toContain('WIDTH=1280')
    expect(size).toContain('HEIGHT=800')
    app.screen.xdotool('windowsize', await app.window(), '1000', '700')
    await until('the new size', async () => (await geometry(app)).includes('WIDTH=1000'))
  } finally {
    await app.stop()
  }
  expect(JSON.parse(readFileSync(join(home, 'window.json'), 'utf8'))).toMatchObject({ width: 1000, height: 700 })

  const again = await App.start('window', home)
  try {
    await until('the size of the last time', async () => (await geometry(again)).includes('WIDTH=1000'))
  } finally {
    await again.stop()
  }
  rmSync(home, { recursive: true, force: true })
})

test('says in one sentence that there is no display', () => {
  const env = { ...process.env, DISPLAY: '', WAYLAND_DISPLAY: '' }
  const ended = spawnSync(programs.window, [], { env, encoding: 'utf8', timeout: 20_000 })
  expect(ended.status).toBe(1)
  expect(ended.stderr.trim().split('\n')).toHaveLength(1)
  expect(ended.stderr).toContain('assay research')
})
