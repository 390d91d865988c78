// Reads `go test -json` and prints what a person needs: the runner's own line for each package, the whole output of what
// failed, every skipped test with its reason, and one line of counts. Ends with 1 when anything failed.
import { createInterface } from 'node:readline'

const outputs = new Map() // package and test -> its lines
const count = { pass: 0, fail: 0, skip: 0 }
const skips = []
let broken = false

const key = (e) => `${e.Package ?? e.ImportPath} ${e.Test ?? ''}`

for await (const line of createInterface({ input: process.stdin })) {
  let e
  try {
    e = JSON.parse(line)
  } catch {
    console.log(line) // not from the runner: the go command's own words
    continue
  }
  if (e.Action === 'output' || e.Action === 'build-output') {
    if (!outputs.has(key(e))) outputs.set(key(e), [])
    outputs.get(key(e)).push(e.Output)
    // The runner's closing line of a package.
    if (!e.Test && /^(ok|FAIL|---|\?|panic)\s/.test(e.Output) && e.Output.includes('\t')) process.stdout.write(e.Output)
    continue
  }
  if (!['pass', 'fail', 'skip', 'build-fail'].includes(e.Action)) continue
  const lines = outputs.get(key(e)) ?? []
  if (e.Action === 'build-fail') {
    broken = true
    process.stdout.write(lines.join(''))
  } else if (e.Test) {
    count[e.Action]++
    if (e.Action === 'fail') process.stdout.write(lines.join(''))
    if (e.Action === 'skip') {
      const why = lines.filter((l) => !/^\s*(===|---)/.test(l)).map((l) => l.trim().replace(/^\S+_test\.go:\d+: /, ''))
      skips.push(`${e.Package} ${e.Test}: ${why.join(' ') || 'no reason given'}`)
    }
  } else if (e.Action === 'fail') {
    broken = true
    process.stdout.write(lines.filter((l) => !l.startsWith('FAIL')).join(''))
  }
  outputs.delete(key(e))
}
for (const s of skips) console.log(`skipped: ${s}`)
console.log(`${process.argv[2] ?? 'go test'}: ${count.pass} passed, ${count.fail} failed, ${count.skip} skipped`)
process.exit(count.fail > 0 || broken || count.pass === 0 ? 1 : 0)
