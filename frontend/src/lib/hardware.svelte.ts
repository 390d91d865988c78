// The machine's memory as the program's sampler sees it: one for all views, told by events.
import { again } from './again'
import * as api from './api'

export class Hardware {
  view: api.app.HardwareView | undefined = $state.raw()
  fault = $state('')
  #off: (() => void)[]

  constructor() {
    this.#off = [api.on<api.app.HardwareView>('hardware', (v) => this.#take(v)), again(() => void this.load())]
    void this.load()
  }

  #take(v: api.app.HardwareView): void {
    if (this.view && v.look.at_ms < this.view.look.at_ms) return // an answer that an event overtook
    this.view = v
    this.fault = ''
  }

  async load(): Promise<void> {
    await this.#ask(() => api.hardware())
  }

  /** look has the machine looked at now; with wake a card that sleeps is switched on for it. */
  async look(wake = false): Promise<void> {
    await this.#ask(() => api.lookAgain(wake))
  }

  async #ask(what: () => Promise<api.app.HardwareView>): Promise<void> {
    try {
      this.#take(await what())
    } catch (e) {
      this.fault = api.sentence(e)
    }
  }

  close(): void {
    for (const off of this.#off) off()
  }
}
