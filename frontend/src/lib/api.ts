// The bindings, with every fault as one sentence. Nothing else in the page calls Go.
import * as go from './wailsjs/go/app/API'
import type { app, research } from './wailsjs/go/models'
import { EventsOn } from './wailsjs/runtime/runtime'

export type { app, research }
export type Digest = research.Digest
export type Finding = research.DigestFinding

/** Fault is what went wrong, in the words of the program. */
export class Fault extends Error {}

/** Unreachable is a fault of the window itself: the program behind the page does not answer. */
export class Unreachable extends Fault {
  constructor() {
    super('The program behind this window does not answer. What was found is on disk; close the window and start Assay again.')
  }
}

/** sentence makes one readable sentence of whatever was thrown. */
export function sentence(thrown: unknown): string {
  const text = thrown instanceof Error ? thrown.message : typeof thrown === 'string' ? thrown : ''
  const s = text.trim() || 'Something failed without saying why'
  const first = s.charAt(0).toUpperCase() + s.slice(1)
  return /[.!?。]$/.test(first) ? first : first + '.'
}

async function call<T>(method: () => Promise<T>): Promise<T> {
  if (!('go' in window)) throw new Unreachable()
  try {
    return await method()
  } catch (e) {
    throw e instanceof Fault ? e : new Fault(sentence(e))
  }
}

export const version = () => call(() => go.Version())
export const machine = () => call(() => go.Machine())
export const ask = (q: app.Question) => call(() => go.Ask(q))
export const runs = () => call(() => go.Runs())
export const events = (id: string, after: number) => call(() => go.Events(id, after))
export const pause = (id: string) => call(() => go.Pause(id))
export const resume = (id: string) => call(() => go.Resume(id))
export const cancel = (id: string) => call(() => go.Cancel(id))
export const rename = (id: string, title: string) => call(() => go.Rename(id, title))
export const remove = (id: string) => call(() => go.Delete(id))
export const report = (id: string) => call(() => go.Report(id))
export const passage = (id: string, passage: string, around: number) => call(() => go.Passage(id, passage, around))
export const recompute = (id: string) => call(() => go.Recompute(id))
export const exportAs = (id: string, form: string) => call(() => go.Export(id, form))
export const openLink = (url: string) => call(() => go.OpenLink(url))
export const places = () => call(() => go.Places())
export const addFolder = (dir: string) => call(() => go.AddFolder(dir))
export const removeFolder = (dir: string) => call(() => go.RemoveFolder(dir))
export const searchLibrary = (words: string, dir: string) => call(() => go.SearchLibrary(words, dir))
export const chooseFolder = () => call(() => go.ChooseFolder())
export const chooseFiles = () => call(() => go.ChooseFiles())

/** The names of the events that the program sends; app/events.go holds the same. */
export type EventName = 'run' | 'runs' | 'library'

/** on calls back for each event of a name until the returned function is called. */
export function on<T>(name: EventName, heard: (data: T) => void): () => void {
  if (!('runtime' in window)) return () => {}
  return EventsOn(name, heard)
}
