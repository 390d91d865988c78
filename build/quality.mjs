// Runs the benches of build/floors.json and holds their figures against its floors. Arguments name benches; none means all.
// An entry is {"bench": name, "args": [...], "prepare": [...], "floors": {key: least}, "ceilings": {key: most}}; $DATA and
// $TMP in args and prepare are the folder of labelled data and a folder kept between runs. A key may be a path: "en.f1".
import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const here = (path) => fileURLToPath(new URL(path, import.meta.url))
const tmp = here('./cache/quality')
mkdirSync(tmp, { recursive: true })
const fill = (args) => args.map((a) => a.replace('$DATA', process.env.ASSAY_DATA).replace('$TMP', tmp))
const figure = (result, path) => path.split('.').reduce((at, part) => at?.[part], result)

const entries = JSON.parse(readFileSync(here('./floors.json'), 'utf8')).filter(
  (e) => process.argv.length < 3 || process.argv.includes(e.bench, 2),
)
let failed = 0
for (const e of entries) {
  if (e.prepare) {
    const [command, ...args] = fill(e.prepare)
    const done = spawnSync(command, args, { encoding: 'utf8' })
    if (done.status !== 0) {
      console.log(`FAIL ${e.bench}: ${e.prepare.join(' ')}: ${done.error ?? done.stderr}`)
      failed++
      continue
    }
  }
  const began = Date.now()
  const run = spawnSync(here('./bin/assay-cli'), ['bench', e.bench, ...fill(e.args), '--json'], {
    encoding: 'utf8', maxBuffer: 1 << 28, stdio: ['ignore', 'pipe', 'inherit'],
  })
  let result
  try {
    result = JSON.parse(run.stdout)
  } catch {
    console.log(`FAIL ${e.bench}: ended with ${run.status} and without a JSON object`)
    failed++
    continue
  }
  const faults = []
  for (const [key, least] of Object.entries(e.floors ?? {})) {
    const got = figure(result, key)
    if (!(got >= least)) faults.push(`${key} ${got} is under its floor ${least}`)
  }
  for (const [key, most] of Object.entries(e.ceilings ?? {})) {
    const got = figure(result, key)
    if (!(got <= most)) faults.push(`${key} ${got} is over its ceiling ${most}`)
  }
  const seconds = ((Date.now() - began) / 1000).toFixed(0)
  const shown = [...Object.keys(e.floors ?? {}), ...Object.keys(e.ceilings ?? {})].map((k) => `${k} ${figure(result, k)}`)
  console.log(`${faults.length ? 'FAIL' : 'ok'} ${e.bench}: n ${result.n}, ${shown.join(', ')}, ${seconds} s${faults.map((f) => `\n  ${f}`).join('')}`)
  if (faults.length) failed++
}
console.log(`quality: ${entries.length - failed} of ${entries.length} benches hold their floors`)
process.exit(failed ? 1 : 0)
