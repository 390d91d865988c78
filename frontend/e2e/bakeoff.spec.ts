// A bake-off of two tiny models on a real server, from its form to the changelog in which a verdict gives way to a later one.
import { rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { addFolder, App, scratch } from './app'
import { noPeers, Peers } from './peers'
import { pictures } from './pictures'
import { expect, test } from './test'

test.skip(noPeers() !== '', noPeers())

const documents = fileURLToPath(new URL('./documents', import.meta.url))

test('compares two models, shows scores and verdicts, and supersedes a verdict without losing it', async ({ browser }) => {
  test.setTimeout(600_000) // the words of a tiny model are noise, and go on to the end of each budget
  const peers = await Peers.start()
  const home = scratch('home')
  await addFolder(home, documents)
  const app = await App.start('browser', home, { OLLAMA_HOST: peers.ollama })
  try {
    const page = await browser.newPage()
    const faults: string[] = []
    page.on('pageerror', (e) => faults.push(String(e)))
    page.on('console', (m) => m.type() === 'error' && faults.push(m.text()))
    await page.goto(`${app.url}#/bakeoff`)
    await expect(page.getByRole('heading', { name: 'No bake-off yet' })).toBeVisible()
    await pictures(page, 'bakeoff-empty')
    await page.getByRole('button', { name: 'New bake-off' }).first().click()
    const form = page.getByRole('dialog')
    await expect(form.getByRole('button', { name: 'Start the bake-off' })).toBeDisabled()
    await form.getByLabel('tiny:latest').check()
    await form.getByLabel('tiny2:latest').check()
    await form.getByLabel('For', { exact: true }).selectOption('analyst')
    await form.getByLabel('Questions, one a line').fill('How is the metre defined since 1983?\nWhat was the standard before 1960?')
    await pictures(page, 'bakeoff-form')
    await form.getByRole('button', { name: 'Start the bake-off' }).click()

    const one = page.locator('[data-bakeoff]')
    await expect(one).toHaveAttribute('data-state', 'running')
    await expect(one.getByRole('progressbar')).toBeVisible()
    await pictures(page, 'bakeoff-running')
    await expect(one).toHaveAttribute('data-state', 'done', { timeout: 300_000 })
    await expect(one.locator('tr[data-trial]')).toHaveCount(3)
    await expect(one.locator('tr[data-trial]').first()).toContainText('baseline')
    await expect(one.locator('[data-entry]')).toHaveCount(2)
    await one.getByRole('button', { name: /^Raw call of tiny:latest/ }).click()
    await expect(page.getByRole('dialog')).toContainText('Context held')
    await expect(page.getByRole('dialog')).toContainText('POST /api/chat')
    await pictures(page, 'bakeoff-proof')
    await page.keyboard.press('Escape')
    await pictures(page, 'bakeoff-done')

    // A second run of each: its verdict rests on more, and takes the place of the first, which stays.
    await one.getByRole('button', { name: 'Run each once more' }).click()
    await expect(one).toHaveAttribute('data-state', 'running')
    await expect(one).toHaveAttribute('data-state', 'done', { timeout: 300_000 })
    await expect(one.locator('tr[data-trial]')).toHaveCount(5)
    await page.getByRole('button', { name: /^The changelog/ }).click()
    const log = page.locator('[data-changelog]')
    await expect(log.locator('[data-standing="true"]')).toHaveCount(2)
    await expect(log.locator('[data-standing="false"]')).toHaveCount(2)
    await expect(log.locator('[data-standing="false"]').first()).toContainText('Superseded')
    await pictures(page, 'bakeoff-changelog')
    await log.getByRole('button', { name: /^The verdict that stands/ }).first().click()
    await expect(log.locator('[data-standing="true"]:focus')).toHaveCount(1)

    // Its data can go after a yes; what was said of the models stays.
    await page.getByRole('radio', { name: 'Bake-offs' }).check()
    await page.locator('tr[data-line]').getByRole('link').click()
    await one.getByRole('button', { name: 'Delete' }).click()
    await pictures(page, 'bakeoff-delete')
    await page.getByRole('button', { name: 'Not now' }).click()
    await expect(one.locator('tr[data-trial]')).toHaveCount(5)
    await one.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('button', { name: 'Delete the bake-off' }).click()
    await expect(page.getByRole('heading', { name: 'No bake-off yet' })).toBeVisible()
    await page.getByRole('radio', { name: 'Changelog' }).check()
    await expect(log.locator('[data-entry]')).toHaveCount(4)
    await expect(log.locator('[data-removed]')).toHaveCount(4)
    await pictures(page, 'bakeoff-removed')
    expect(faults, 'errors in the page').toEqual([])
    await page.close()
  } finally {
    await app.stop()
    await peers.stop()
    rmSync(home, { recursive: true, force: true })
  }
})
