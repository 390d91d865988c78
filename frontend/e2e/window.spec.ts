// The real window, WebKitGTK and all, on a screen in memory. What the page does is tested in a browser, which can be asked
// about it; here is what only the real window can show: that it opens, takes the keyboard, paints its pages, keeps its place,
// and ends with its screen.
import { expect, test } from '@playwright/test'
import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { addFolder, App, programs, runs, scratch, sleep, until } from './app'
import { png } from './png'

const out = fileURLToPath(new URL('./out', import.meta.url))
const documents = fileURLToPath(new URL('./documents', import.meta.url))
const question = 'How is the metre defined since 1983, and what was the standard before 1960?'

let home: string
test.beforeEach(() => {
  home = scratch('home')
})
test.afterEach(() => rmSync(home, { recursive: true, force: true }))

/** How many different colours a picture has. An empty window has a handful, a page with text in it has hundreds. */
function colours({ rgb }: { rgb: Buffer }): number {
  const seen = new Set<number>()
  for (let i = 0; i < rgb.length; i += 3) seen.add(rgb.readUIntBE(i, 3))
  return seen.size
}

const geometry = async (app: App) => app.screen.xdotool('getwindowgeometry', '--shell', await app.window())

/** Waits until the page is painted: a picture with text in it, twice the same. */
async function painted(app: App): Promise<Buffer> {
  let last: Buffer = Buffer.alloc(0)
  return until('a page that is painted', async () => {
    const now = app.screen.picture()
    const still = now.rgb.equals(last)
    last = now.rgb
    if (still && colours(now) > 30) return now.rgb
    await sleep(300) // fonts and fades; the caret of a field blinks more slowly
  })
}

/** How much of a picture is dark, as text is, in the part right of the side bar and under the tabs. */
function ink(rgb: Buffer): number {
  let dark = 0
  for (let y = 110; y < 800; y++) {
    for (let at = (y * 1280 + 220) * 3, end = (y + 1) * 1280 * 3; at < end; at += 3) if (rgb[at] < 0x60) dark++
  }
  return dark
}

/** Shows the run and then its report, by their keys, and gives the pictures of both. */
async function runAndReport(app: App): Promise<[Buffer, Buffer]> {
  // While the window is still on its way to the run the keys do nothing, so both are pressed until they lead to two pages.
  return until('the run and the report', async () => {
    app.screen.xdotool('key', 'ctrl+2')
    const run = await painted(app)
    app.screen.xdotool('key', 'ctrl+3')
    const report = await painted(app)
    if (Math.min(ink(run), ink(report)) > 3000 && Math.abs(ink(run) - ink(report)) > 1000) return [run, report] as [Buffer, Buffer]
  })
}

/** Keeps a picture of the screen beside the other results, and gives it as PNG. */
function keep(rgb: Buffer, name: string): Buffer {
  const picture = png(1280, 800, rgb)
  mkdirSync(out, { recursive: true })
  writeFileSync(join(out, name), picture)
  return picture
}

test('opens, shows its page, and stands the next time where it stood', async () => {
  const app = await App.start('window', home)
  try {
    keep(await painted(app), 'window.png')
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
})

test('takes a question from the keyboard, and shows its report', async () => {
  await addFolder(home, documents)
  const app = await App.start('window', home)
  try {
    await painted(app)
    // A window manager gives the keyboard to a new window; there is none on this screen. In the page the question has it.
    app.screen.xdotool('windowfocus', '--sync', await app.window())
    app.screen.xdotool('type', '--delay', '10', question)
    app.screen.xdotool('key', 'ctrl+Return')
    const run = await until('the report, as the terminal lists it', async () => (await runs(home)).find((r) => r.state === 'done'), 60_000)
    expect(run.question).toBe(question)
    expect(run.findings).toBeGreaterThan(0)

    const [stages, report] = await runAndReport(app)
    keep(stages, 'window-run.png')
    keep(report, 'window-report.png')
    app.screen.xdotool('key', 'j')
    await sleep(500)
    const trace = await painted(app)
    expect(trace.equals(report)).toBe(false)
    const picture = keep(trace, 'window-trace.png')
    // The picture of the README is this one: README_PICTURE=build/readme-window.png npm --prefix frontend run e2e window
    if (process.env.README_PICTURE) writeFileSync(fileURLToPath(new URL(`../../${process.env.README_PICTURE}`, import.meta.url)), picture)
  } finally {
    await app.stop()
  }
})

test('ends by itself when its screen goes away', async () => {
  const app = await App.start('window', home)
  try {
    await painted(app)
    await app.screen.stop()
    await app.ended()
  } finally {
    await app.kill()
  }
})

for (const [name, display, says] of [
  ['there is no display', '', 'assay research'],
  ['the display does not answer', ':9999', '":9999" does not answer'],
]) {
  test(`says in one sentence that ${name}`, () => {
    const env = { ...process.env, DISPLAY: display, WAYLAND_DISPLAY: '', ASSAY_HOME: home }
    const ended = spawnSync(programs.window, [], { env, encoding: 'utf8', timeout: 20_000 })
    expect(ended.status).toBe(1)
    expect(ended.stderr.trim().split('\n')).toHaveLength(1)
    expect(ended.stderr).toContain(says)
  })
}
