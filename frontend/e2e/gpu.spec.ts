// The GPU page: on a machine as it is, and with recorded outputs of nvidia-smi, which go through the real monitor, history and
// planner; the models that are loaded then are those of a stand-in server.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { spawnSync } from 'node:child_process'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, Page } from '@playwright/test'
import { App, scratch } from './app'
import { pictures } from './pictures'
import { ps, standIn } from './standin'
import { expect, test } from './test'

/** Runs a test on the GPU page of a program of its own, and holds that the page had no fault. */
async function onPage(browser: Browser, env: Record<string, string>, what: (page: Page, app: App) => Promise<void>) {
  const home = scratch('home')
  const app = await App.start('browser', home, env)
  try {
    const page = await browser.newPage()
    const faults: string[] = []
    page.on('pageerror', (e) => faults.push(String(e)))
    page.on('console', (m) => m.type() === 'error' && faults.push(m.text()))
    await page.goto(`${app.url}#/gpu`)
    await what(page, app)
    expect(faults, 'errors in the page').toEqual([])
    await page.close()
  } finally {
    await app.stop()
    rmSync(home, { recursive: true, force: true })
  }
}

const head = 'index, name, driver_version, memory.total [MiB], memory.reserved [MiB], memory.used [MiB], memory.free [MiB], utilization.gpu [%], temperature.gpu, power.draw [W], pstate\n'

/** What a server of 0.17.4 says of gpt-oss:20b on the card: the part that stays in main memory is counted with it. */
const said = 13_894 * 2 ** 20

/** A recording of half an hour: a card at rest, a model that is loaded, and a program that takes some of it for a while. The
 * first and the idle figures are those of a recorded RTX 4080 SUPER; those under load are of the same form. */
function recording(): string {
  const dir = mkdtempSync(join(tmpdir(), 'assay-recording-'))
  for (let s = 0; s <= 1740; s += 20) {
    const loaded = s >= 420
    const browser = s >= 700 && s < 1000 ? 260 : 0
    const used = 596 + 279 + (loaded ? 13_180 : 0) + browser
    const name = String(s).padStart(4, '0')
    writeFileSync(join(dir, `${name}.csv`), `${head}0, NVIDIA GeForce RTX 4080 SUPER, 570.86, 16376 MiB, 434 MiB, ${used} MiB, ${16376 - 434 - used} MiB, ${loaded ? 93 : 0} %, ${loaded ? 61 : 43}, ${loaded ? '241.07' : '26.20'} W, ${loaded ? 'P2' : 'P8'}\n`)
    writeFileSync(join(dir, `${name}.apps.csv`), `gpu_uuid, pid, process_name, used_gpu_memory [MiB]\nGPU-1, 4711, /usr/lib/firefox/firefox, ${279 + browser} MiB\n${loaded ? 'GPU-1, 5012, /usr/local/bin/ollama, 13180 MiB\n' : ''}`)
    writeFileSync(join(dir, `${name}.ps.json`), JSON.stringify({ models: loaded ? [ps('gpt-oss:20b', said, said, 16384)] : [] }))
  }
  return dir
}

test('shows who holds the memory under load, the half hour before, and what else would fit', async ({ browser }) => {
  test.setTimeout(300_000) // with pictures of six views in both themes and sizes
  const dir = recording()
  const server = await standIn([{ name: 'gpt-oss:20b', size: said, context: 16384 }])
  await onPage(browser, { ASSAY_GPU_REPLAY: dir, OLLAMA_HOST: server.url }, async (page, app) => {
    // As a text and not a pattern: only then do spaces that keep a line together count as spaces.
    await expect(page.locator('.vhead p').first()).toContainText('NVIDIA GeForce RTX 4080 SUPER · driver 570.86 · 93 % busy · 61 °C · 241 W · ')
    await expect(page.getByText('a recording')).toBeVisible()
    const bar = page.getByRole('img', { name: /Model weights \(gpt-oss:20b\) \d+\.\d\d GiB/ })
    await expect(bar).toHaveAttribute('aria-label', /firefox \(program\) 0\.27 GiB.*KV cache .*Compute .*Free 1\.84 GiB/)
    await expect(page.getByText('13.73 of 15.99 GiB in use')).toBeVisible()
    await expect(page.getByRole('img', { name: /over the last 30 minutes: 0\.9 to 14\.0 GiB/ })).toBeVisible()
    await page.getByText('The same in numbers').click()
    await expect(page.locator('.numscroll tbody tr')).toHaveCount(30)
    await page.getByText('The same in numbers').click()

    const plan = page.locator('[data-plan="chosen"]')
    await expect(plan).toContainText('gpt-oss:20b · 16k context')
    await expect(plan).toContainText('asked 16,384, server reports 16,384')
    await expect(page.locator('tr[data-option^="mistral-small3.2:24b"]')).toContainText('spills')
    await expect(page.locator('nav .mini')).toContainText('13.7 of 16.0 GiB')
    await pictures(page, 'gpu-load')

    // Another choice is used, labelled, and taken back.
    await page.getByRole('button', { name: /^Use this: qwen3:14b/ }).click()
    await expect(page.locator('[data-overridden]')).toContainText('The model qwen3:14b was asked for.')
    await expect(plan).toContainText('qwen3:14b · ')
    await page.getByRole('button', { name: 'Let Assay plan again' }).click()
    await expect(plan).toContainText('gpt-oss:20b · 16k context')

    await page.getByRole('radio', { name: 'System memory' }).check()
    await expect(page.getByRole('heading', { name: 'Who holds the system memory' })).toBeVisible()
    await pictures(page, 'gpu-system')

    await page.goto(`${app.url}#/models`)
    const row = page.locator('tr[data-model="gpt-oss:20b"]')
    await expect(row.locator('.pick')).toContainText('planned')
    await expect(row).toContainText('loaded')
    await expect(page.locator('tr[data-model="mistral-small3.2:24b"]')).toContainText('spills to system memory')
    await expect(page.locator('tr[data-model="gpt-oss:120b-cloud"]')).toContainText('runs elsewhere')
    await pictures(page, 'fit-table')
    await row.getByRole('link').click()
    await expect(page.locator('[data-panel="gpt-oss:20b"]')).toContainText('Predicted on the GPU')
    await pictures(page, 'fit-model')
    await page.keyboard.press('Escape')
    // Before a model is pulled it is said whether it will fit.
    await page.getByRole('button', { name: 'Pull a model' }).click()
    await page.getByLabel('Name', { exact: true }).fill('qwen3:30b-a3b')
    await expect(page.getByRole('dialog')).toContainText(/Will not fit wholly|Fits /)
    await pictures(page, 'pull-dialog')
  })
  server.stop()
  rmSync(dir, { recursive: true, force: true })
})

test('sounds an alarm when a part of a model runs from system memory', async ({ browser }) => {
  const dir = mkdtempSync(join(tmpdir(), 'assay-recording-'))
  writeFileSync(join(dir, '0000.csv'), `${head}0, NVIDIA GeForce RTX 4080 SUPER, 570.86, 16376 MiB, 434 MiB, 15612 MiB, 330 MiB, 41 %, 58, 160.50 W, P2\n`)
  writeFileSync(join(dir, '0000.apps.csv'), 'gpu_uuid, pid, process_name, used_gpu_memory [MiB]\nGPU-1, 4711, /usr/bin/blender, 5900 MiB\n')
  writeFileSync(join(dir, '0000.ps.json'), JSON.stringify({ models: [ps('gpt-oss:20b', 12.2e9, 9.1e9, 16384)] }))
  const server = await standIn([{ name: 'gpt-oss:20b', size: 12.2e9, context: 16384 }])
  await onPage(browser, { ASSAY_GPU_REPLAY: dir, OLLAMA_HOST: server.url }, async (page) => {
    await expect(page.locator('[data-alarm="half_on_cpu"]')).toContainText('of gpt-oss:20b are in the machine\'s memory')
    await pictures(page, 'gpu-alarm')
  })
  server.stop()
  rmSync(dir, { recursive: true, force: true })
})

test('says that the driver was updated, and shows what is unknown as unknown', async ({ browser }) => {
  const dir = mkdtempSync(join(tmpdir(), 'assay-recording-'))
  writeFileSync(join(dir, '0000.csv'), 'Failed to initialize NVML: Driver/library version mismatch\nNVML library version: 550.90\n')
  await onPage(browser, { ASSAY_GPU_REPLAY: dir, OLLAMA_HOST: '127.0.0.1:1' }, async (page) => {
    await expect(page.locator('[data-condition="driver_mismatch"]')).toBeVisible()
    await expect(page.getByRole('alert')).toContainText('No Ollama server answers')
    await pictures(page, 'gpu-mismatch')
  })
  rmSync(dir, { recursive: true, force: true })

  const hidden = mkdtempSync(join(tmpdir(), 'assay-recording-'))
  writeFileSync(join(hidden, '0000.csv'), 'index, name, memory.total [MiB], memory.used [MiB], memory.free [MiB]\n0, NVIDIA A100-SXM4-40GB, 40960 MiB, [Insufficient Permissions], [Insufficient Permissions]\n')
  await onPage(browser, { ASSAY_GPU_REPLAY: hidden, OLLAMA_HOST: '127.0.0.1:1' }, async (page) => {
    await expect(page.getByText('in use: unknown')).toBeVisible()
    await expect(page.locator('nav .mini')).toContainText('unknown of 40.0 GiB')
    await pictures(page, 'gpu-unknown')
  })
  rmSync(hidden, { recursive: true, force: true })
})

test('has an answer on a machine without a card', async ({ browser }) => {
  test.skip(spawnSync('nvidia-smi').error === undefined, 'this machine has a card')
  const server = await standIn([])
  await onPage(browser, { OLLAMA_HOST: server.url }, async (page) => {
    await expect(page.locator('[data-nogpu]')).toContainText('models run on the processor and use system memory')
    await expect(page.getByRole('heading', { name: 'Who holds the system memory' })).toBeVisible()
    await expect(page.getByRole('img', { name: /Programs and system \d+\.\d\d GiB, Free/ })).toBeVisible()
    await expect(page.locator('[data-plan="none"]')).toContainText('8,192 tokens')
    await expect(page.locator('nav .mini')).toContainText('No GPU')
    await pictures(page, 'gpu-none')
  })
  server.stop()
})
