// The test function of the end-to-end tests: `app` is the running program, one a file, and `page` a browser on its page.
import { type Page, test as base, expect } from '@playwright/test'
import { rmSync } from 'node:fs'
import { App, scratch } from './app'

type Fixtures = {
  home: string
  app: App
}

export const test = base.extend<object, Fixtures>({
  home: [
    async ({}, use) => {
      const home = scratch('home')
      await use(home)
      rmSync(home, { recursive: true, force: true })
    },
    { scope: 'worker' },
  ],
  app: [
    async ({ home }, use) => {
      const app = await App.start('browser', home)
      await use(app)
      await app.stop()
    },
    { scope: 'worker' },
  ],
}).extend({
  page: async ({ page, app }, use) => {
    const faults: string[] = []
    page.on('pageerror', (e) => faults.push(String(e)))
    page.on('console', (m) => m.type() === 'error' && faults.push(m.text()))
    await page.goto(app.url)
    await use(page)
    // No test is passed by a page that throws, or that its own policy had to keep from loading something.
    expect(faults, 'errors in the page').toEqual([])
  },
})

/** Asks a question in the page and waits until its run is shown. */
export async function ask(page: Page, text: string) {
  await page.goto(new URL('#/ask', page.url()).href)
  await page.getByLabel('Question').fill(text)
  await page.getByRole('button', { name: 'Start the research' }).click()
  await expect(page).toHaveURL(/#\/run\//)
}

export { expect }
