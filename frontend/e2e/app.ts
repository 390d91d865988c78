// Starts the real program for a test: on a screen of its own (Xvfb), a session bus of its own (the lock that keeps a second
// window off the same home goes over it), and a home folder of its own. Everything is ended by process group, since a
// signal to a wrapper leaves its children running; and the screen last, since a program does not save without it.
import { type ChildProcess, type StdioOptions, execFile, execFileSync, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const bin = (name: string) => fileURLToPath(new URL(`../../build/bin/${name}`, import.meta.url))

/** The programs under test. The first serves its page on a port too, and is otherwise the second. */
export const programs = { browser: bin('assay-dev'), window: bin('assay') }

export const sleep = (ms: number) => new Promise((done) => setTimeout(done, ms))

/** Waits until check gives something, and gives it; otherwise fails with what was awaited. */
export async function until<T>(what: string, check: () => T | Promise<T>, ms = 30_000): Promise<NonNullable<T>> {
  for (const end = Date.now() + ms; ; await sleep(100)) {
    const got = await check()
    if (got) return got
    if (Date.now() > end) throw new Error(`${what}: not within ${ms / 1000} s`)
  }
}

/** A port that is free now, on loopback. */
export function freePort(): Promise<number> {
  return new Promise((done, fail) => {
    const server = createServer()
    server.once('error', fail)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => (address && typeof address === 'object' ? done(address.port) : fail(new Error('no port'))))
    })
  })
}

export function scratch(name: string): string {
  return mkdtempSync(join(tmpdir(), `assay-${name}-`))
}

// The shell around every process of a test: it ends the whole process group when the program ends, and when its standard
// input does, which is a pipe from here: so nothing outlives a test that fails, is interrupted or is killed.
const guard = 'exec 9<&0; "$@" </dev/null 9<&- & program=$!; { read -r _ <&9; kill -KILL 0; } & wait $program; kill -KILL 0'

/** Starts a program in a process group of its own, which lives no longer than this process. */
function start(command: string[], env: NodeJS.ProcessEnv, stdio: StdioOptions): ChildProcess {
  return spawn('sh', ['-c', guard, 'sh', ...command], { detached: true, env, stdio })
}

const over = (child: ChildProcess) => child.exitCode !== null || child.signalCode !== null

/** Ends a process group: with SIGTERM first if it is to end gently. It is also ended if its leader has gone. */
async function end(child: ChildProcess, gently = false) {
  const group = child.pid!
  if (gently && signal(-group, 'SIGTERM')) {
    await until('the end of the group', () => !members(group).length, 5000).catch(() => {})
  }
  signal(-group, 'SIGKILL')
  await until('the end of the group', () => !members(group).length)
}

/** Sends a signal; false when there is nobody to send it to. */
function signal(pid: number, name: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, name)
  } catch {
    return false
  }
}

/** A screen in memory, as large as the window is at first. */
export class Screen {
  private constructor(
    readonly display: string,
    private readonly server: ChildProcess,
    private readonly dir: string,
  ) {}

  static async start(): Promise<Screen> {
    const dir = scratch('screen')
    // The server picks a free number and writes it to the third descriptor.
    const command = ['Xvfb', '-displayfd', '3', '-screen', '0', '1280x800x24', '-nolisten', 'tcp', '-fbdir', dir]
    const server = start(command, process.env, ['pipe', 'ignore', 'ignore', 'pipe'])
    let number = ''
    server.stdio[3]!.on('data', (chunk: Buffer) => (number += chunk))
    const screen = () => new Screen(`:${number.trim()}`, server, dir)
    try {
      await until('Xvfb gives its display', () => number.endsWith('\n')) // it writes the number and the end of the line apart
    } catch (fault) {
      await screen().stop()
      throw fault
    }
    return screen()
  }

  /** What the screen shows: width, height and a byte each for red, green and blue of every pixel. */
  picture(): { width: number; height: number; rgb: Buffer } {
    // Xvfb keeps its picture in the format of xwd: 32-bit big-endian header fields, colour map, then rows of BGRX.
    const file = readFileSync(join(this.dir, 'Xvfb_screen0'))
    const field = (i: number) => file.readUInt32BE(i * 4)
    const [headerSize, width, height, stride, colours] = [field(0), field(4), field(5), field(12), field(19)]
    const start = headerSize + colours * 12
    const rgb = Buffer.alloc(width * height * 3)
    for (let y = 0; y < height; y++) {
      for (let x = 0; x < width; x++) {
        const from = start + y * stride + x * 4
        const to = (y * width + x) * 3
        rgb[to] = file[from + 2]
        rgb[to + 1] = file[from + 1]
        rgb[to + 2] = file[from]
      }
    }
    return { width, height, rgb }
  }

  /** Runs xdotool on this screen, never longer than 5 s: it waits for ever for a window that has gone. */
  xdotool(...args: string[]): string {
    return execFileSync('xdotool', args, {
      env: { ...process.env, DISPLAY: this.display },
      timeout: 5000,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim()
  }

  async stop() {
    await end(this.server, true)
    rmSync(this.dir, { recursive: true, force: true })
  }
}

/** Runs the program in the terminal on a home, and gives what it wrote. */
export async function terminal(home: string, ...args: string[]): Promise<string> {
  const env = { ...process.env, ASSAY_HOME: home, DISPLAY: '', WAYLAND_DISPLAY: '' }
  return (await promisify(execFile)(programs.window, args, { env, timeout: 120_000, maxBuffer: 64 << 20 })).stdout
}

/** Adds a folder to the library of a home, in the terminal. */
export async function addFolder(home: string, dir: string) {
  await terminal(home, 'library', 'add', dir)
}

/** The line of a run, as the terminal lists it. */
export type RunLine = { id: string; question: string; state: string; sources: number; findings: number }

export async function runs(home: string): Promise<RunLine[]> {
  return JSON.parse(await terminal(home, 'runs', 'list', '--json'))
}

/** The running program. */
export class App {
  output = ''

  private constructor(
    readonly screen: Screen,
    readonly home: string,
    readonly url: string,
    private readonly program: string,
    private readonly child: ChildProcess,
    private readonly runtimeDir: string,
  ) {}

  /** Starts a program on a home, which may be one that an earlier App left. */
  static async start(program: keyof typeof programs, home: string, env: Record<string, string> = {}): Promise<App> {
    if (!existsSync(programs[program])) throw new Error(`${programs[program]} is missing; run \`make test\`, which builds it`)
    const screen = await Screen.start()
    const port = await freePort()
    const runtimeDir = scratch('runtime')
    const child = start(
      ['dbus-run-session', '--', programs[program]],
      {
        ...process.env,
        DISPLAY: screen.display,
        WAYLAND_DISPLAY: '',
        XDG_RUNTIME_DIR: runtimeDir,
        NO_AT_BRIDGE: '1', // GTK asks for no accessibility bus
        ASSAY_HOME: home,
        devserver: `127.0.0.1:${port}`,
        loglevel: 'warning',
        ...env,
      },
      ['pipe', 'pipe', 'pipe'],
    )
    const app = new App(screen, home, `http://127.0.0.1:${port}/`, programs[program], child, runtimeDir)
    child.stdout!.on('data', (chunk) => (app.output += chunk))
    child.stderr!.on('data', (chunk) => (app.output += chunk))
    try {
      if (program === 'browser') {
        await until(`the page at ${app.url}`, () => {
          if (over(child)) throw new Error('the program ended')
          return fetch(app.url).then((r) => r.ok, () => false)
        })
      } else {
        await app.window()
      }
    } catch (fault) {
      await app.kill()
      throw new Error(`${fault}\nthe program wrote:\n${app.output}`)
    }
    return app
  }

  /** The window's number, for xdotool. GTK has an invisible helper window of the same name. */
  window(): Promise<string> {
    return until('the window', () => {
      if (over(this.child)) throw new Error('the program ended')
      try {
        return this.screen.xdotool('search', '--onlyvisible', '--name', '^Assay$').split('\n').at(-1)
      } catch {
        return ''
      }
    })
  }

  /** Ends the program at once, as a crash of the machine would. */
  async kill() {
    await end(this.child)
    await this.tidy()
  }

  /** Ends the program as a person's log-out would, and fails if it does not end. */
  async stop() {
    // Only the program is asked: a wrapper that ends before it would take the screen from it while it saves.
    const program = members(this.child.pid!).filter((pid) => commandOf(pid) === `${this.program}\0`)
    for (const pid of program) signal(pid, 'SIGTERM')
    const fault = await this.ended().then(
      () => undefined,
      (e) => e,
    )
    if (fault) {
      // What it does instead of ending: a Go program says so when it is asked to quit.
      for (const pid of program) signal(pid, 'SIGQUIT')
      await sleep(2000)
    }
    await end(this.child)
    await this.tidy()
    if (fault) throw new Error(`${fault}\nthe program wrote:\n${this.output}`)
  }

  /** Resolves when the program has ended by itself. */
  ended(): Promise<void> {
    return until('the end of the program', () => over(this.child)).then(() => {})
  }

  private async tidy() {
    await this.screen.stop()
    rmSync(this.runtimeDir, { recursive: true, force: true })
  }
}

/** The processes of a group that run. */
function members(group: number): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((name) => {
      try {
        // After the command's name, which may hold anything: state, parent, group.
        const [state, , pgrp] = readFileSync(`/proc/${name}/stat`, 'utf8').split(') ').at(-1)!.split(' ')
        return pgrp === String(group) && state !== 'Z'
      } catch {
        return false // it ended meanwhile
      }
    })
    .map(Number)
}

/** The command line of a process, each word ended by a zero; empty when it has ended. */
function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
  } catch {
    return ''
  }
}
