// Runs that do not reach their end by themselves: stopped by the person, and cut off with the whole program.
import { rmSync } from 'node:fs'
import { App, addFolder, runs, scratch } from './app'
import { writeLibrary } from './library'
import { ask, expect, test } from './test'

const question = 'What was the International Prototype Metre made of, and how many copies were made?'
let home: string
let documents: string

test.beforeAll(async () => {
  home = scratch('home')
  documents = scratch('documents')
  writeLibrary(documents)
  await addFolder(home, documents)
})
test.afterAll(() => {
  rmSync(home, { recursive: true, force: true })
  rmSync(documents, { recursive: true, force: true })
})

test('stops a run and resumes it', async ({ browser }) => {
  const app = await App.start('browser', home)
  try {
    const page = await browser.newPage()
    await page.goto(app.url)
    await ask(page, question)
    await page.getByRole('button', { name: 'Stop' }).click()
    await expect(page.locator('[data-state="stopped"]')).toBeVisible()
    await page.getByRole('button', { name: 'Resume' }).click()
    await expect(page.getByRole('link', { name: 'Read the report' })).toBeVisible({ timeout: 90_000 })
    await page.close()
  } finally {
    await app.stop()
  }
})

test('offers a run that was killed, and finishes it', async ({ browser }) => {
  const first = await App.start('browser', home)
  let page = await browser.newPage()
  await page.goto(first.url)
  await ask(page, question)
  await expect(page.locator('[data-stage="plan"][data-state="done"]')).toBeVisible()
  await first.kill()
  await page.close()

  const second = await App.start('browser', home)
  try {
    page = await browser.newPage()
    await page.goto(second.url)
    await expect(page.getByText('Interrupted:', { exact: true })).toBeVisible()
    await page.getByRole('button', { name: 'Resume' }).first().click()
    await expect(page.getByRole('link', { name: 'Read the report' })).toBeVisible({ timeout: 90_000 })
    await page.close()
  } finally {
    await second.stop()
  }
})

test('ends with the screen in the middle of a run, which is offered at the next start', async ({ browser }) => {
  const app = await App.start('browser', home)
  const before = (await runs(home)).length
  try {
    const page = await browser.newPage()
    await page.goto(app.url)
    await ask(page, question)
    await app.screen.stop()
    await app.ended()
    await page.close()
  } finally {
    await app.kill()
  }
  const lines = await runs(home)
  expect(lines).toHaveLength(before + 1)
  expect(lines[0].state).toBe('interrupted')
})
