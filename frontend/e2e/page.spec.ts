// The page in a browser, on the real bindings: that it loads under its own policy, and what it may not do.
import { expect, test } from './test'

test('loads the page under its own policy', async ({ page, app }) => {
  await expect(page).toHaveTitle(/Assay/)
  const answer = await page.request.get(app.url)
  expect(answer.headers()['content-security-policy']).toContain("default-src 'none'")
  // The bindings are there, with the program behind them.
  expect(await page.evaluate(() => Object.keys((window as any).go.app.API).length)).toBeGreaterThan(0)
})

test('keeps a report of a run that does not exist from being shown', async ({ app, request }) => {
  const answer = await request.get(`${app.url}report/no-such-run`)
  expect(answer.status()).toBe(404)
  expect(answer.headers()['content-security-policy']).toContain('sandbox')
  expect((await answer.text()).length).toBeLessThan(500)
})
