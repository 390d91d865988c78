// The main job, by hand in the page: a question, its stages, the report, from a citation to the passage and from a confidence
// to its arithmetic.
import { fileURLToPath } from 'node:url'
import { ask, expect, test } from './test'

const documents = fileURLToPath(new URL('./documents', import.meta.url))
const question = 'How is the metre defined since 1983, and what was the standard before 1960?'

test.describe.configure({ mode: 'serial' })

test('adds a folder to the library and searches it', async ({ page, app }) => {
  await page.goto(`${app.url}#/library`)
  await page.locator('#folder').fill(documents)
  await page.getByRole('button', { name: 'Add this folder' }).click()
  await expect(page.locator('[data-place="documents"][data-state="ready"]')).toBeVisible({ timeout: 60_000 })
  await expect(page.locator('[data-place="documents"] [data-watch="told"]')).toBeVisible({ timeout: 60_000 })
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
