// One run, followed: a snapshot first, then what the program pushes, joined by the events' numbers. Whatever is missed is
// asked for again.
import * as api from './api'
import { apply, begin, type Progress } from './progress'

export class Follow {
  readonly id: string
  progress: Progress = $state(begin())
  info: api.app.RunRow | undefined = $state()
  /** notice says that the run waits because memory is missing. */
  notice: api.desk.Notice | undefined = $state()
  /** plan waits for the person who asks. */
  plan: api.desk.PlanAsked | undefined = $state.raw()
  fault = $state('')
  loaded = $state(false)
  #off: () => void
  #asking = false
  #again = false

  constructor(id: string) {
    this.id = id
    this.#off = api.on<api.app.RunEvents>('run', (batch) => this.#heard(batch))
    void this.ask()
  }

  /** ask fetches everything after what is known. Two calls at once make one question. */
  async ask(): Promise<void> {
    if (this.#asking) {
      this.#again = true
      return
    }
    this.#asking = true
    try {
      const batch = await api.events(this.id, this.progress.last)
      this.info = batch.info
      this.#waits(batch)
      apply(this.progress, batch)
      this.fault = ''
      this.loaded = true
    } catch (e) {
      this.fault = api.sentence(e)
    }
    this.#asking = false
    if (this.#again) {
      this.#again = false
      await this.ask()
    }
  }

  #heard(batch: api.app.RunEvents): void {
    if (batch.id !== this.id) return
    if (!this.loaded || batch.after > this.progress.last) {
      void this.ask()
      return
    }
    this.info = batch.info
    this.#waits(batch)
    apply(this.progress, batch)
  }

  /** A plan that is being changed is not put in place anew by every piece of news. */
  #waits(batch: api.app.RunEvents): void {
    this.notice = batch.notice ?? undefined
    const plan = batch.plan ?? undefined
    if (plan?.until_ms !== this.plan?.until_ms) this.plan = plan
  }

  close(): void {
    this.#off()
  }
}
