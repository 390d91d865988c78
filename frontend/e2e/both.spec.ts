// The window and the terminal at work at once, on one home.
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { addFolder, App, runs, scratch, terminal } from './app'
import { writeLibrary } from './library'
import { ask, expect, test } from './test'

const inWindow = 'What was the International Prototype Metre made of, and how many copies were made?'
const inTerminal = 'Who compared the standard kept in Vienna, and what did the scale weigh?'

test('both finish on one library, and each lists the run of the other', async ({ browser }) => {
  const home = scratch('home')
  const documents = scratch('documents')
  writeLibrary(documents, 30, 150)
  const app = await App.start('browser', home)
  try {
    const page = await browser.newPage()
    await page.goto(app.url)
    await addFolder(home, documents) // by the terminal, while the window is open and shows that there is no folder
    const other = terminal(home, 'research', inTerminal, '--offline', '--yes', '--allow-partial', '--out', join(home, 'out'))
    await ask(page, inWindow)
    await Promise.all([other, expect(page.getByRole('link', { name: 'Read the report' })).toBeVisible({ timeout: 90_000 })])

    const lines = await runs(home)
    expect(lines.map((r) => [r.question, r.state]).sort()).toEqual([
      [inWindow, 'done'],
      [inTerminal, 'done'],
    ])

    // The window was told nothing about the terminal's run and lists it all the same; its report opens here.
    await page.locator('nav').getByRole('link', { name: 'Runs' }).click()
    const row = page.locator('tr[data-run]').filter({ hasText: inTerminal })
    await expect(row).toContainText('done')
    await expect(page.locator('tr[data-run]')).toHaveCount(2)
    await row.getByRole('link').click()
    await expect(page.getByRole('heading', { level: 1 })).toContainText(inTerminal)
    await page.close()
  } finally {
    await app.stop()
    rmSync(home, { recursive: true, force: true })
    rmSync(documents, { recursive: true, force: true })
  }
})
