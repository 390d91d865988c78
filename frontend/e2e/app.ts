// Starts the real program for a test: on a screen of its own (Xvfb), a session bus of its own (the lock that keeps a second
// window off the same home goes over it), and a home folder of its own. Everything is ended by process group, since a
// signal to a wrapper leaves its children running.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

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

async function end(child: ChildProcess | undefined, signal: NodeJS.Signals = 'SIGTERM') {
  if (!child?.pid || child.exitCode !== null || child.signalCode !== null) return
  const ended = new Promise((done) => child.once('exit', done))
  const kill = (s: NodeJS.Signals) => {
    try {
      process.kill(-child.pid!, s)
    } catch {
      // it ended by itself
    }
  }
  kill(signal)
  await Promise.race([ended, sleep(5000).then(() => kill('SIGKILL'))])
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
    const server = spawn('Xvfb', ['-displayfd', '3', '-screen', '0', '1280x800x24', '-nolisten', 'tcp', '-fbdir', dir], {
      detached: true,
      stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
    })
    let number = ''
    server.stdio[3]!.on('data', (chunk: Buffer) => (number += chunk))
    await until('Xvfb gives its display', () => number.trim())
    return new Screen(`:${number.trim()}`, server, dir)
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
    await end(this.server)
    rmSync(this.dir, { recursive: true, force: true })
  }
}

/** Adds a folder to the library of a home, in the terminal. */
export function addFolder(home: string, dir: string) {
  execFileSync(programs.browser, ['library', 'add', dir], { env: { ...process.env, ASSAY_HOME: home }, stdio: 'pipe', timeout: 120_000 })
}

/** The running program. */
export class App {
  output = ''

  private constructor(
    readonly screen: Screen,
    readonly home: string,
    readonly url: string,
    private readonly child: ChildProcess,
    private readonly runtimeDir: string,
  ) {}

  /** Starts a program on a home, which may be one that an earlier App left. */
  static async start(program: keyof typeof programs, home: string, env: Record<string, string> = {}): Promise<App> {
    if (!existsSync(programs[program])) throw new Error(`${programs[program]} is missing; run \`make test\`, which builds it`)
    const screen = await Screen.start()
    const port = await freePort()
    const runtimeDir = scratch('runtime')
    const child = spawn('dbus-run-session', ['--', programs[program]], {
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        ...process.env,
        DISPLAY: screen.display,
        WAYLAND_DISPLAY: '',
        XDG_RUNTIME_DIR: runtimeDir,
        NO_AT_BRIDGE: '1', // no accessibility bus, which would outlive the test
        ASSAY_HOME: home,
        devserver: `127.0.0.1:${port}`,
        loglevel: 'warning',
        ...env,
      },
    })
    const app = new App(screen, home, `http://127.0.0.1:${port}/`, child, runtimeDir)
    child.stdout!.on('data', (chunk) => (app.output += chunk))
    child.stderr!.on('data', (chunk) => (app.output += chunk))
    try {
      if (program === 'browser') {
        await until(`the page at ${app.url}`, () => {
          if (child.exitCode !== null) throw new Error('the program ended')
          return fetch(app.url).then((r) => r.ok, () => false)
        })
      } else {
        await app.window()
      }
    } catch (fault) {
      await app.stop()
      throw new Error(`${fault}\nthe program wrote:\n${app.output}`)
    }
    return app
  }

  /** The window's number, for xdotool. GTK has an invisible helper window of the same name. */
  window(): Promise<string> {
    return until('the window', () => {
      if (this.child.exitCode !== null) throw new Error('the program ended')
      try {
        return this.screen.xdotool('search', '--onlyvisible', '--name', '^Assay$').split('\n').at(-1)
      } catch {
        return ''
      }
    })
  }

  /** Ends the program at once, as a crash of the machine would. */
  async kill() {
    await end(this.child, 'SIGKILL')
    await this.tidy()
  }

  /** Ends the program as a person's log-out would. */
  async stop() {
    // The wrapper passes no signal on, so the program is asked first and given time to save.
    for (const pid of childrenOf(this.child.pid!)) {
      try {
        process.kill(pid, 'SIGTERM')
      } catch {
        // it ended by itself
      }
    }
    await Promise.race([new Promise((done) => this.child.once('exit', done)), this.ended(), sleep(5000)])
    await end(this.child, 'SIGKILL')
    await this.tidy()
  }

  /** Resolves when the program has ended by itself. */
  ended(): Promise<void> {
    return until('the end of the program', () => this.child.exitCode !== null || this.child.signalCode !== null).then(() => {})
  }

  private async tidy() {
    await this.screen.stop()
    rmSync(this.runtimeDir, { recursive: true, force: true })
  }
}

/** The processes that a process started and that still run. */
function childrenOf(parent: number): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((name) => {
      try {
        return readFileSync(`/proc/${name}/stat`, 'utf8').split(') ').at(-1)!.split(' ')[1] === String(parent)
      } catch {
        return false
      }
    })
    .map(Number)
}
