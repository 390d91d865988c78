// The machine's memory and cards, read every few seconds while the window is in sight.
import * as api from './api'

const everyMs = 5000

export class Machine {
  now: api.app.Machine | undefined = $state()
  fault = $state('')
  #timer: ReturnType<typeof setInterval>

  constructor() {
    void this.read()
    this.#timer = setInterval(() => {
      if (document.visibilityState !== 'hidden') void this.read()
    }, everyMs)
  }

  async read(): Promise<void> {
    try {
      this.now = await api.machine()
      this.fault = ''
    } catch (e) {
      this.fault = api.sentence(e)
    }
  }

  close(): void {
    clearInterval(this.#timer)
  }
}
