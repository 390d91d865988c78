// The Models page on a real model server: what is listed is loaded, unloaded, copied, made, pulled and deleted for real.
import { readdirSync, rmSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Page } from '@playwright/test'
import { App, scratch } from './app'
import { noPeers, Peers, serverFolder } from './peers'
import { pictures } from './pictures'
import { expect, test } from './test'

test.skip(noPeers() !== '', noPeers())
test.describe.configure({ mode: 'serial' })

let peers: Peers
let home: string
let app: App
let page: Page
const faults: string[] = []

test.beforeAll(async ({ browser }) => {
  peers = await Peers.start()
  home = scratch('home')
  app = await App.start('browser', home, { OLLAMA_HOST: peers.ollama, OLLAMA_MODELS: peers.models, PATH: `${serverFolder()}:${process.env.PATH}` })
  page = await browser.newPage()
  page.on('pageerror', (e) => faults.push(String(e)))
  page.on('console', (m) => m.type() === 'error' && faults.push(m.text()))
  await page.goto(`${app.url}#/models`)
})
test.afterAll(async () => {
  await page?.close()
  await app?.stop()
  await peers?.stop()
  if (home) rmSync(home, { recursive: true, force: true })
})
test.afterEach(() => expect(faults, 'errors in the page').toEqual([]))

const row = (name: string) => page.locator(`tr[data-model="${name}"]`)
const menu = async (name: string, what: string) => {
  await page.getByRole('button', { name: `More for ${name}` }).click()
  await page.getByRole('menuitem', { name: what }).click()
}

test('lists what the server has, with what fits', async () => {
  await expect(row('tiny:latest')).toBeVisible()
  await expect(row('tiny2:latest')).toBeVisible()
  // The model ends at 8,192 tokens: two windows, and a dash for each longer one.
  await expect(row('tiny:latest').locator('.heat')).toHaveCount(6)
  await expect(row('tiny:latest').locator('.hn2')).toHaveCount(4)
  await expect(row('tiny:latest').locator('.heat').first()).toContainText('fits')
  await expect(row('tiny:latest')).not.toContainText('loaded')
  await pictures(page, 'models')
})

test('loads a model, shows it part by part, and unloads it', async () => {
  await row('tiny:latest').getByRole('link').click()
  const panel = page.locator('[data-panel="tiny:latest"]')
  await expect(panel).toContainText('llama, 2 layers')
  await expect(panel).toContainText('Not measured yet')
  await panel.getByRole('button', { name: 'Load' }).click()
  await page.getByLabel('Context').selectOption('4096')
  await page.getByLabel('Keep it').selectOption('-1')
  await page.getByRole('dialog').getByRole('button', { name: 'Load' }).click()
  await expect(row('tiny:latest')).toContainText('loaded')
  await expect(panel).toContainText('4k context; stays until it is unloaded')
  await expect(panel).toContainText('asked 4,096, server reports 4,096')
  await panel.getByRole('button', { name: 'Show the reasons' }).click()
  await pictures(page, 'model')
  await panel.getByRole('button', { name: 'Unload' }).click()
  await expect(row('tiny:latest')).not.toContainText('loaded')
  // Esc closes the panel and leads back to where it was opened.
  await page.keyboard.press('Escape')
  await expect(panel).toBeHidden()
  await expect(row('tiny:latest').getByRole('link')).toBeFocused()
})

test('copies a model, and deletes it only after a yes', async () => {
  await menu('tiny:latest', 'Copy')
  await page.getByLabel('Second name').fill('spare')
  await page.getByRole('dialog').getByRole('button', { name: 'Copy' }).click()
  await expect(row('spare:latest')).toBeVisible()
  // A name that stands for another model is given away only after a yes.
  await menu('tiny2:latest', 'Copy')
  await page.getByLabel('Second name').fill('spare')
  await page.getByRole('dialog').getByRole('button', { name: 'Copy' }).click()
  await expect(page.getByRole('dialog')).toContainText(/spare:latest is a model already.*stays as tiny:latest\./)
  await expect(page.getByRole('button', { name: 'Replace spare' })).toBeVisible()
  await pictures(page, 'models-replace')
  await page.getByLabel('Second name').fill('spare2')
  await expect(page.getByRole('dialog').getByRole('button', { name: 'Copy' })).toBeVisible()
  await page.getByRole('button', { name: 'Not now' }).click()
  await menu('spare:latest', 'Delete')
  await expect(page.getByRole('dialog')).toContainText('from the disk of the model server')
  await pictures(page, 'models-delete')
  await page.getByRole('button', { name: 'Keep it' }).click()
  await expect(row('spare:latest')).toBeVisible()
  await menu('spare:latest', 'Delete')
  await page.getByRole('button', { name: 'Delete the model' }).click()
  await expect(row('spare:latest')).toHaveCount(0)
  await expect(row('tiny:latest')).toBeVisible()
})

test('makes a model of a file, and refuses one with another checksum', async () => {
  // The server keeps a model's file under its checksum.
  const blobs = join(peers.models, 'blobs')
  const file = readdirSync(blobs).reduce((a, b) => (statSync(join(blobs, a)).size >= statSync(join(blobs, b)).size ? a : b))
  await page.getByRole('button', { name: 'From a file' }).click()
  await page.getByLabel('GGUF file').fill(join(blobs, file))
  await page.getByLabel('Name', { exact: true }).fill('made')
  await page.getByLabel('SHA-256').fill('0'.repeat(64))
  await page.getByRole('button', { name: 'Make the model' }).click()
  await expect(page.getByRole('alert')).toContainText('sha256')
  await pictures(page, 'models-create')
  await page.getByLabel('SHA-256').fill(file.replace('sha256-', ''))
  await page.getByRole('button', { name: 'Make the model' }).click()
  await expect(row('made:latest')).toBeVisible({ timeout: 60_000 })
  await page.getByRole('button', { name: 'Take made off this list' }).click()
  await expect(page.locator('[data-job]')).toHaveCount(0)
})

test('pulls from another host after a yes, pauses, goes on, and is cancelled', async () => {
  test.skip(!peers.registry, peers.why)
  test.setTimeout(240_000) // the server puts stopped transfers away in its own time
  await peers.tell('slow 200000') // it lasts longer than all that is done meanwhile
  await page.getByRole('button', { name: 'Pull a model' }).click()
  await page.getByLabel('Name', { exact: true }).fill(`http://${peers.name}`)
  const pull = page.getByRole('button', { name: 'Pull the model' })
  await expect(pull).toBeDisabled()
  await page.getByLabel(/I trust this host/).check()
  await pull.click()
  const job = page.locator('[data-job]')
  await expect(job).toHaveAttribute('data-phase', 'fetching')
  await expect(job).toContainText(/\d MB of 1\d MB · .*\/s · \d+ (s|min) left/)
  await pictures(page, 'models-pull')
  await job.getByRole('button', { name: 'Pause' }).click()
  await expect(job).toContainText('Paused')
  await job.getByRole('button', { name: 'Resume' }).click()
  await expect(job).toHaveAttribute('data-phase', 'fetching')
  await job.getByRole('button', { name: /^Cancel/ }).click()
  await expect(job).toContainText('Cancelled')
  await expect(page.locator('tr[data-model*="pulled"]')).toHaveCount(0)
  await peers.tell('slow 0')
  await job.getByRole('button', { name: 'Try again' }).click()
  await expect(job).toContainText('There', { timeout: 120_000 })
  await expect(page.locator('tr[data-model*="pulled"]')).toBeVisible()
})

test('says which server answers, and starts and stops one of its own', async () => {
  await page.getByRole('button', { name: 'Server' }).click()
  const panel = page.locator('[data-server]')
  await expect(panel).toContainText(peers.ollama)
  await expect(panel).toContainText('not started by Assay')
  await panel.getByLabel('KV cache').selectOption('q8_0')
  await panel.getByRole('button', { name: 'Start' }).click()
  await expect(panel).toContainText('started by Assay', { timeout: 60_000 })
  await expect(panel.locator('dl.kv')).toContainText('q8_0')
  await panel.getByRole('button', { name: 'Show the log' }).click()
  await expect(panel.getByLabel('Log of the model server')).toContainText('server config')
  await pictures(page, 'server')
  await panel.getByRole('button', { name: 'Stop' }).click()
  await expect(panel.getByText(/^Stopped the model server at/)).toBeVisible()
  await expect(panel).toContainText('not started by Assay')
})

test('says in one sentence that no server answers, and what to do', async ({ browser }) => {
  const alone = scratch('home')
  const other = await App.start('browser', alone, { OLLAMA_HOST: '127.0.0.1:1', PATH: dirname(process.execPath) + ':/usr/bin:/bin' })
  try {
    const p = await browser.newPage()
    await p.goto(`${other.url}#/models`)
    await expect(p.getByRole('heading', { name: 'No model server answers' })).toBeVisible()
    await pictures(p, 'models-offline')
    await p.getByRole('button', { name: 'Look at the server' }).click()
    await expect(p.locator('[data-server]')).toContainText('No model server answers.')
    await p.close()
  } finally {
    await other.stop()
    rmSync(alone, { recursive: true, force: true })
  }
})
