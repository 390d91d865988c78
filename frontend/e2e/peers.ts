// The real model server and the real registry, for tests in a browser. They are kept by a Go test that is built as a program:
// see TestPeers in engine/enginetest, which says what it takes on its standard input.
import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { scratch, until } from './app'

const program = fileURLToPath(new URL('../../build/bin/peers', import.meta.url))
const server = process.env.ASSAY_OLLAMA ?? join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'assay/tools/ollama-0.17.4/ollama')

/** Why there are no real servers here; '' when there are. */
export function noPeers(): string {
  if (!existsSync(program)) return `${program} is missing; \`make test\` builds it`
  return existsSync(server) ? '' : `no Ollama server at ${server}; build/ollama.sh builds it`
}

/** The folder of the server's program, for the PATH of a program that is to find it. */
export const serverFolder = () => dirname(server)

/** A real Ollama server with the models tiny and tiny2, and Debian's registry with a third one, where there is one. */
export class Peers {
  private output = ''

  private constructor(
    private readonly child: ChildProcess,
    private readonly dir: string,
  ) {}

  /** Where the server answers, and the folder of its models. */
  ollama = ''
  models = ''
  /** The registry's host and the name under which its model is pulled; '' where there is none, and why says why. */
  registry = ''
  name = ''
  why = ''

  static async start(): Promise<Peers> {
    const dir = scratch('peers')
    const file = join(dir, 'peers.json')
    const child = spawn(program, ['-test.run=^TestPeers$', '-test.timeout=20m'], { env: { ...process.env, ASSAY_PEERS: file }, stdio: ['pipe', 'pipe', 'pipe'] })
    const peers = new Peers(child, dir)
    child.stdout!.on('data', (chunk) => (peers.output += chunk))
    child.stderr!.on('data', (chunk) => (peers.output += chunk))
    try {
      await until('the model server', () => {
        if (child.exitCode !== null) throw new Error(`it ended:\n${peers.output}`)
        return existsSync(file)
      }, 90_000)
    } catch (fault) {
      await peers.stop()
      throw fault
    }
    Object.assign(peers, JSON.parse(readFileSync(file, 'utf8')))
    return peers
  }

  /** Has the servers do something, and waits until it is done. */
  async tell(command: string) {
    this.child.stdin!.write(command + '\n')
    await until(`“${command}”`, () => this.output.includes(`done ${command}`))
  }

  async stop() {
    this.child.stdin!.end()
    await until('the end of the model server', () => this.child.exitCode !== null || this.child.signalCode !== null, 20_000).catch(() => this.child.kill('SIGKILL'))
    rmSync(this.dir, { recursive: true, force: true })
  }
}
