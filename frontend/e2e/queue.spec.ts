// The queue, by hand in the page: questions that wait are ordered, and the window works on them once it is told to.
import { fileURLToPath } from 'node:url'
import type { Page } from '@playwright/test'
import { expect, test } from './test'

const documents = fileURLToPath(new URL('./documents', import.meta.url))

test.describe.configure({ mode: 'serial' })

async function enqueue(page: Page, text: string) {
  await page.goto(new URL('#/ask', page.url()).href)
  await page.getByLabel('Question').fill(text)
  await page.getByRole('button', { name: 'Queue it' }).click()
  await expect(page).toHaveURL(/#\/queue/)
}

const order = (page: Page) => page.locator('tbody tr .rtitle')

test('says that nothing is queued', async ({ page, app }) => {
  await page.goto(`${app.url}#/library`)
  await page.locator('#folder').fill(documents)
  await page.getByRole('button', { name: 'Add this folder' }).click()
  await expect(page.locator('[data-place="documents"][data-state="ready"]')).toBeVisible({ timeout: 60_000 })
  await page.goto(`${app.url}#/queue`)
  await expect(page.getByText('Nothing is queued')).toBeVisible()
})

test('orders what waits, takes out and puts back', async ({ page }) => {
  const [metre, krypton, light] = ['How is the metre defined since 1983?', 'What was the standard of the metre before 1960?', 'What is the speed of light?']
  for (const q of [metre, krypton, light]) await enqueue(page, q)
  await expect(order(page)).toHaveText([metre, krypton, light])
  await expect(page.getByText('Nobody works on the queue')).toBeVisible()
  await page.getByRole('button', { name: `Move ${light} up` }).click()
  await expect(order(page)).toHaveText([metre, light, krypton])
  await page.getByRole('button', { name: `Move ${metre} down` }).click()
  await expect(order(page)).toHaveText([light, metre, krypton])
  await page.getByRole('button', { name: `Move ${metre} down` }).click()
  await expect(order(page)).toHaveText([light, krypton, metre])
  await page.getByLabel(`Priority of ${metre}`).fill('5')
  await page.getByLabel(`Priority of ${metre}`).blur()
  await expect(order(page)).toHaveText([metre, light, krypton])
  await page.getByRole('button', { name: `Take ${light} out` }).click()
  await expect(order(page)).toHaveText([metre, krypton])
  const out = page.locator('li', { hasText: light })
  await out.getByRole('button', { name: 'Put back' }).click()
  await expect(order(page)).toHaveText([metre, krypton, light])
  await page.getByLabel(`Priority of ${light}`).fill('40')
  await page.getByLabel(`Priority of ${light}`).blur()
  await expect(page.getByRole('alert')).toContainText('Priority 40')
  await expect(page.getByLabel(`Priority of ${light}`)).toHaveValue('0')
})

test('works on the queue when it is told to, and leads to the reports', async ({ page, app }) => {
  await page.goto(`${app.url}#/queue`)
  await page.getByText('This window works on the queue').click()
  await expect(page.getByText('Nothing waits.')).toBeVisible({ timeout: 90_000 })
  await expect(page.locator('li', { hasText: 'completed' })).toHaveCount(3, { timeout: 60_000 })
  await page.locator('li a', { hasText: 'How is the metre defined' }).click()
  await expect(page.locator('[data-finding]').first()).toContainText(/metre/i)
})
