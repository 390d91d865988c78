// A reader who does not trust a source strikes it: the report follows at once, and everything can be put back.
import { fileURLToPath } from 'node:url'
import { ask, expect, test } from './test'

const documents = fileURLToPath(new URL('./documents', import.meta.url))
const question = 'How is the metre defined since 1983, and what was the standard before 1960?'

test('strikes a source from a report, and puts it back', async ({ page, app }) => {
  await page.goto(`${app.url}#/library`)
  await page.locator('#folder').fill(documents)
  await page.getByRole('button', { name: 'Add this folder' }).click()
  await expect(page.locator('[data-place="documents"][data-state="ready"]')).toBeVisible({ timeout: 60_000 })
  await ask(page, question)
  await page.getByRole('link', { name: 'Read the report' }).click({ timeout: 60_000 })
  const findings = page.locator('[data-finding]')
  await expect(findings.first()).toBeVisible()
  const before = await findings.allInnerTexts()

  await page.locator('a.cite').first().click()
  const card = page.locator('[data-card]')
  const title = await card.locator('h3').innerText()
  await card.getByRole('button', { name: 'Strike this source' }).click()
  await expect(page.locator('[data-struck="1"]')).toContainText(title)
  await expect(page.getByRole('status').filter({ hasText: 'Struck.' })).toContainText('restated in')
  expect(await findings.allInnerTexts()).not.toEqual(before)

  // The page is the same after it was opened afresh: the record holds the strike.
  await page.reload()
  await expect(page.locator('[data-struck="1"]')).toBeVisible()
  await page.getByRole('button', { name: 'Put back' }).click()
  await expect(page.locator('[data-struck]')).toHaveCount(0)
  await expect.poll(() => findings.allInnerTexts()).toEqual(before)
})
