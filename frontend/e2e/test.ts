// The test function of the end-to-end tests: `app` is the running program, one a file, and `page` a browser on its page.
// A test file that needs other documents or settings in its home sets `homeSetup`, which is run before the program starts.
import { test as base, expect } from '@playwright/test'
import { rmSync } from 'node:fs'
import { App, scratch } from './app'

type Fixtures = {
  home: string
  homeSetup: (home: string) => void | Promise<void>
  app: App
}

export const test = base.extend<object, Fixtures>({
  homeSetup: [async ({}, use) => use(() => {}), { scope: 'worker', option: true }],
  home: [
    async ({}, use) => {
      const home = scratch('home')
      await use(home)
      rmSync(home, { recursive: true, force: true })
    },
    { scope: 'worker' },
  ],
  app: [
    async ({ home, homeSetup }, use) => {
      await homeSetup(home)
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

export { expect }
