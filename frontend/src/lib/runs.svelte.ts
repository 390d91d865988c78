// The list of runs, kept up to date by the program's events, and read again now and then for what the terminal does.
import { again } from './again'
import * as api from './api'

const everyMs = 5000

export class Runs {
  rows: api.app.RunRow[] = $state([])
  fault = $state('')
  loaded = $state(false)
  #off: (() => void)[]

  constructor() {
    const load = () => void this.load()
    this.#off = [api.on('runs', load), again(load, everyMs)]
    load()
  }

  async load(): Promise<void> {
    try {
      this.rows = await api.runs()
      this.fault = ''
    } catch (e) {
      this.fault = api.sentence(e)
    }
    this.loaded = true
  }

  /** interrupted are the runs that a crash or a closed window left in the middle. */
  get interrupted(): api.app.RunRow[] {
    return this.rows.filter((r) => r.state === 'interrupted' || (r.state === 'running' && !r.live && !r.holder))
  }

  close(): void {
    for (const off of this.#off) off()
  }
}
