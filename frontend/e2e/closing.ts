// The closing lines of the tests in a browser: each fault again in a few words, after everything else, so that the end of a
// log alone says what was wrong.
import type { FullConfig, Reporter, Suite, TestCase } from '@playwright/test/reporter'

const longest = 600 // characters of a fault

export default class Closing implements Reporter {
  private all: Suite | undefined

  onBegin(_config: FullConfig, all: Suite) {
    this.all = all
  }

  // The lines of the other reporters are out by now.
  async onExit() {
    for (const test of this.all?.allTests() ?? []) if (test.outcome() === 'unexpected') console.log(`FAILED ${where(test)}\n${fault(test)}`)
  }
}

const where = (test: TestCase) => `${test.location.file.split('/').pop()}:${test.location.line} ${test.title}`

function fault(test: TestCase): string {
  const error = test.results.at(-1)?.error
  // eslint-disable-next-line no-control-regex -- the colours of a terminal
  const text = (error?.message ?? 'no reason given').replace(/\u001b\[[0-9;]*m/g, '')
  const place = error?.location ? `line ${error.location.line}: ` : ''
  return `  ${place}${text.slice(0, longest).trim().replace(/\n+/g, '\n  ')}`
}
