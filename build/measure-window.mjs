// Starts the window five times on a screen in memory and prints when its page was painted, and what it holds in memory when
// idle. Called by measure-window.sh: measure-window.mjs PROGRAM SCRATCH-FOLDER
import { spawn } from 'node:child_process'
import { closeSync, mkdirSync, openSync, readdirSync, readFileSync, readSync } from 'node:fs'

const [program, dir] = process.argv.slice(2)
const starts = 5
const idleMs = 10_000
const sleep = (ms) => new Promise((done) => setTimeout(done, ms))

// Ends the group with its program, and with this process: see frontend/e2e/app.ts.
const guard = 'exec 9<&0; "$@" </dev/null 9<&- & program=$!; { read -r _ <&9; kill -KILL 0; } & wait $program; kill -KILL 0'
const start = (command, env, stdio) => spawn('sh', ['-c', guard, 'sh', ...command], { detached: true, env, stdio })
const ended = (child) => new Promise((done) => child.once('exit', done))

/** Whether a page with text is on the screen: an empty window has a handful of colours. */
function painted(file, buffer) {
  const fd = openSync(file, 'r')
  const length = readSync(fd, buffer, 0, buffer.length, 0)
  closeSync(fd)
  const from = buffer.readUInt32BE(0) + buffer.readUInt32BE(19 * 4) * 12 // header and colour map of the xwd format
  const seen = new Set()
  for (let at = from; at + 4 <= length && seen.size <= 30; at += 4 * 7) seen.add(buffer.readUInt32LE(at))
  return seen.size > 30
}

/** Resident memory of the program and of what it started, in bytes: summed, and with shared pages divided by their users. */
function memory(group) {
  const total = { rss: 0, pss: 0, parts: [] }
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      const [, name, rest] = /\((.*)\) (.*)/s.exec(readFileSync(`/proc/${pid}/stat`, 'utf8'))
      if (rest.split(' ')[2] !== String(group) || !/^(assay|WebKit)/.test(name)) continue
      const rollup = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8')
      const kib = (field) => Number(new RegExp(`^${field}: +(\\d+)`, 'm').exec(rollup)[1]) * 1024
      total.rss += kib('Rss')
      total.pss += kib('Pss')
      total.parts.push(`${name} ${mib(kib('Rss'))}`)
    } catch {
      // it ended meanwhile
    }
  }
  return total
}

const mib = (bytes) => `${Math.round(bytes / 1048576)} MiB`

const times = []
let idle
for (let i = 0; i < starts; i++) {
  const place = `${dir}/${i}`
  for (const name of ['screen', 'home', 'run']) mkdirSync(`${place}/${name}`, { recursive: true, mode: 0o700 })
  const server = start(
    ['Xvfb', '-displayfd', '3', '-screen', '0', '1280x800x24', '-nolisten', 'tcp', '-fbdir', `${place}/screen`],
    process.env,
    ['pipe', 'ignore', 'ignore', 'pipe'],
  )
  let display = ''
  for await (const chunk of server.stdio[3]) if ((display += chunk).endsWith('\n')) break
  const frame = `${place}/screen/Xvfb_screen0`
  const buffer = Buffer.alloc(1280 * 800 * 4 + 65536)
  const env = {
    ...process.env,
    DISPLAY: `:${display.trim()}`,
    WAYLAND_DISPLAY: '',
    XDG_RUNTIME_DIR: `${place}/run`,
    NO_AT_BRIDGE: '1',
    ASSAY_HOME: `${place}/home`,
  }
  const began = performance.now()
  const app = start(['dbus-run-session', '--', program], env, ['pipe', 'ignore', 'ignore'])
  while (!painted(frame, buffer)) {
    if (app.exitCode !== null || app.signalCode !== null) throw new Error('the window ended before it was painted')
    if (performance.now() - began > 60_000) throw new Error('the window was not painted within a minute')
    await sleep(10)
  }
  times.push(Math.round(performance.now() - began))
  if (i === starts - 1) {
    await sleep(idleMs - (performance.now() - began))
    idle = memory(app.pid)
  }
  const gone = [ended(app), ended(server)]
  app.stdin.end()
  await gone[0]
  server.stdin.end()
  await gone[1]
}
const median = [...times].sort((a, b) => a - b)[starts >> 1]
console.log(`time to first paint: ${median} ms (median of ${starts}: ${times.join(', ')})`)
console.log(`idle memory ${idleMs / 1000} s after the start: ${mib(idle.rss)} resident (${idle.parts.join(', ')}), ${mib(idle.pss)} with shared pages counted once`)
