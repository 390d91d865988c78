// The main job, by hand in the page: a question, its stages, the report, from a citation to the passage and from a confidence
// to its arithmetic; a run that is stopped; and a program that is killed in the middle of a run.
import { fileURLToPath } from 'node:url'
import { App, scratch } from './app'
import { expect, test } from './test'
import type { Page } from '@playwright/test'

const documents = fileURLToPath(new URL('./documents', import.meta.url))
const question = 'How is the metre defined since 1983, and what was the standard before 1960?'

async function ask(page: Page, text: string) {
  await page.goto(new URL('#/ask', page.url()).href)
  await page.getByLabel('Question').fill(text)
  await page.getByRole('button', { name: 'Start the research' }).click()
  await expect(page).toHaveURL(/#\/run\//)
}

test.describe.configure({ mode: 'serial' })

test('adds a folder to the library and searches it', async ({ page, app }) => {
  await page.goto(`${app.url}#/library`)
  await page.locator('#folder').fill(documents)
  await page.getByRole('button', { name: 'Add this folder' }).click()
  await expect(page.locator('[data-place="documents"][data-state="ready"]')).toBeVisible({ timeout: 60_000 })
  await page.getByRole('searchbox').fill('krypton')
  await page.getByRole('searchbox').press('Enter')
  await expect(page.locator('[data-hit*="metre.html"]').first()).toBeVisible()
})

test('asks, shows every stage, and leads from the report to passage and arithmetic', async ({ page }) => {
  await ask(page, question)
  for (const stage of ['understand', 'hypothesise', 'plan', 'search', 'extract', 'reason', 'report', 'persist']) {
    await expect(page.locator(`[data-stage="${stage}"][data-state="done"]`)).toBeVisible({ timeout: 60_000 })
  }
  await page.getByRole('link', { name: 'Read the report' }).click()
  await expect(page).toHaveURL(/#\/report\//)
  await expect(page.locator('[data-finding]').first()).toContainText(/metre/i)

  // From the citation to the source, at the passage.
  await page.locator('a.cite').first().click()
  const card = page.locator('[data-card]')
  await expect(card).toBeVisible()
  await expect(card.locator('mark')).toContainText(/\w+/)
  await expect(card).toContainText(/sha256 [0-9a-f]{64}/)

  // From the confidence to the votes, and the numbers computed once more.
  await page.keyboard.press('Escape')
  await page.keyboard.press('j')
  const trace = page.locator('[data-trace]')
  await expect(trace).toContainText('voices confirm')
  await trace.getByRole('button', { name: 'Recompute' }).click()
  await expect(trace.getByRole('status')).toContainText('all equal')
})

test('says in one sentence what is wrong with an empty question', async ({ page }) => {
  await page.getByRole('button', { name: 'Start the research' }).click()
  await expect(page.getByRole('alert')).toContainText('The question is empty')
})

test('stops a run and resumes it', async ({ page }) => {
  await ask(page, 'What was the International Prototype Metre made of, and how many copies were made?')
  await page.getByRole('button', { name: 'Stop' }).click({ timeout: 10_000 })
  await page.getByRole('button', { name: 'Resume' }).click()
  await expect(page.getByRole('link', { name: 'Read the report' })).toBeVisible({ timeout: 60_000 })
})

test('offers a run that was killed, and finishes it', async ({ browser }) => {
  const home = scratch('home')
  const first = await App.start('browser', home)
  const page = await browser.newPage()
  await page.goto(`${first.url}#/library`)
  await page.locator('#folder').fill(documents)
  await page.getByRole('button', { name: 'Add this folder' }).click()
  await expect(page.locator('[data-place="documents"][data-state="ready"]')).toBeVisible({ timeout: 60_000 })
  await ask(page, question)
  await expect(page.locator('[data-stage="plan"][data-state="done"]')).toBeVisible()
  await first.kill()
  await page.close()

  const second = await App.start('browser', home)
  try {
    const page = await browser.newPage()
    await page.goto(second.url)
    await expect(page.getByText('Interrupted:')).toBeVisible()
    await page.getByRole('button', { name: 'Resume' }).first().click()
    await expect(page.getByRole('link', { name: 'Read the report' })).toBeVisible({ timeout: 60_000 })
    await page.close()
  } finally {
    await second.stop()
  }
})
