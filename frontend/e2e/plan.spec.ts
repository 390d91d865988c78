// A reader who wants to see the plan first changes it by mouse and keyboard, in every round; and takes a finished run over from
// its plan with another one.
import { fileURLToPath } from 'node:url'
import { pictures } from './pictures'
import { expect, test } from './test'

const documents = fileURLToPath(new URL('./documents', import.meta.url))

test('changes the plan before the search, and runs again from it', async ({ page, app }) => {
  await page.goto(`${app.url}#/library`)
  await page.locator('#folder').fill(documents)
  await page.getByRole('button', { name: 'Add this folder' }).click()
  await expect(page.locator('[data-place="documents"][data-state="ready"]')).toBeVisible({ timeout: 60_000 })

  await page.goto(`${app.url}#/`)
  await page.getByLabel('Question').fill('How is the metre defined since 1983, and who paid for the aqueduct of Porthcurno?')
  await page.getByText('Show me the plan first').click()
  await page.getByRole('button', { name: 'Start the research' }).click()
  const plan = page.locator('[data-plan]')
  await expect(plan).toHaveAttribute('data-plan', '0')
  const hypotheses = plan.getByRole('textbox', { name: /^Hypothesis \d/ })
  const before = await hypotheses.count()
  const second = await hypotheses.nth(1).inputValue()
  await plan.getByRole('button', { name: 'Move hypothesis 2 up' }).click()
  await expect(hypotheses.first()).toHaveValue(second)
  await plan.getByRole('button', { name: 'Drop hypothesis 1' }).press('Enter')
  await expect(hypotheses).toHaveCount(before - 1)
  await plan.getByLabel('Another hypothesis').fill('The metre is defined by light.')
  await plan.getByLabel('Another hypothesis').press('Enter')
  await expect(hypotheses).toHaveCount(before)
  await plan.getByRole('textbox', { name: 'Search 1 of task 1', exact: true }).fill('metre second light')
  await plan.getByLabel('Another search').fill('krypton wavelength')
  await plan.getByLabel('Another search').press('Enter')
  await pictures(page, 'plan')
  await plan.getByRole('button', { name: 'Search', exact: true }).click()

  // What was not found is planned for in a gap round, which the reader ends.
  await expect(plan).toHaveAttribute('data-plan', '1', { timeout: 60_000 })
  await pictures(page, 'plan-gap')
  // What was found so far can be read meanwhile, with its passages.
  await page.getByRole('link', { name: 'So far' }).click()
  await expect(page.locator('[data-finding]').first()).toBeVisible()
  await expect(page.getByText('The research goes on.')).toBeVisible()
  await page.locator('a.cite').first().click()
  await expect(page.locator('[data-card] mark').first()).toBeVisible()
  await pictures(page, 'so-far')
  await page.getByRole('link', { name: 'Run', exact: true }).click()
  while (await plan.getByRole('button', { name: 'Drop task 1' }).count()) await plan.getByRole('button', { name: 'Drop task 1' }).click()
  await plan.getByRole('button', { name: 'End the search here' }).click()
  await page.getByRole('link', { name: 'Read the report' }).click({ timeout: 60_000 })
  await expect(page.locator('#hypotheses, [data-hypothesis]').or(page.getByText('The metre is defined by light.')).first()).toBeVisible()

  const old = page.url().split('/').pop()
  await page.getByRole('link', { name: 'Run', exact: true }).click()
  await page.getByRole('button', { name: 'Run again' }).click()
  const dialog = page.getByRole('dialog')
  await pictures(page, 'run-again')
  await dialog.getByRole('button', { name: 'Run again' }).click()
  await expect(plan).toHaveAttribute('data-plan', '0')
  await plan.getByRole('button', { name: 'Search', exact: true }).click()
  await expect(plan).toHaveAttribute('data-plan', '1', { timeout: 60_000 })
  await plan.getByRole('button', { name: 'Search', exact: true }).click()
  await page.getByRole('link', { name: 'Read the report' }).click({ timeout: 60_000 })
  expect(page.url()).not.toContain(old!)
})
