// Pictures of the views for a person to look at: in both themes and at both sizes. ASSAY_PICTURES names the folder they go to;
// without it none are made.
import type { Page } from '@playwright/test'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from './test'

const folder = process.env.ASSAY_PICTURES

/** Keeps pictures of what the page shows now. Without a folder it only holds that nothing stands out of the window. */
export async function pictures(page: Page, name: string) {
  for (const [width, height] of [
    [1280, 800],
    [800, 600],
  ] as const) {
    await page.setViewportSize({ width, height })
    await page.waitForTimeout(150) // fades
    expect(await outside(page), `${name} at ${width} by ${height}: outside of the window`).toEqual([])
    if (!folder) continue
    mkdirSync(folder, { recursive: true })
    for (const theme of ['light', 'dark']) {
      await page.evaluate((t) => (document.documentElement.dataset.theme = t), theme)
      await page.waitForTimeout(150)
      await page.screenshot({ path: join(folder, `${name}-${theme}-${width}.png`) })
    }
    await page.evaluate(() => delete document.documentElement.dataset.theme)
  }
  await page.setViewportSize({ width: 1280, height: 800 })
}

/** What stands out of the window on its right, except in boxes that scroll by themselves. */
function outside(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll('body *')]
      .filter((e) => {
        const r = e.getBoundingClientRect()
        return r.width > 0 && r.right > innerWidth + 1 && !e.closest('.tscroll, .vh, .numscroll, .logbox, .gfig')
      })
      .map((e) => `${e.tagName.toLowerCase()}.${e.getAttribute('class') ?? ''}`)
      .slice(0, 5),
  )
}
