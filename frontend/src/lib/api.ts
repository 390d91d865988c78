// The bindings, with every fault as one sentence. Nothing else in the page calls Go.
import * as go from './wailsjs/go/app/API'
import type { app, bakeoff, desk, gpu, ollama, research } from './wailsjs/go/models'
import { EventsOn } from './wailsjs/runtime/runtime'

export type { app, bakeoff, desk, gpu, ollama, research }
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
export const queue = () => call(() => go.Queue())
export const enqueue = (q: app.Question, priority: number) => call(() => go.Enqueue(q, priority))
export const moveQueued = (id: string, before: string) => call(() => go.MoveQueued(id, before))
export const setPriority = (id: string, priority: number) => call(() => go.SetPriority(id, priority))
export const unqueue = (id: string) => call(() => go.Unqueue(id))
export const requeue = (id: string) => call(() => go.Requeue(id))
export const workOnQueue = (on: boolean) => call(() => go.WorkOnQueue(on))
export const runs = () => call(() => go.Runs())
export const events = (id: string, after: number) => call(() => go.Events(id, after))
export const pause = (id: string) => call(() => go.Pause(id))
export const resume = (id: string) => call(() => go.Resume(id))
export const cancel = (id: string) => call(() => go.Cancel(id))
export const relieve = (id: string, choice: string) => call(() => go.Relieve(id, choice))
export const approvePlan = (id: string, plan: research.Plan, hypotheses: research.Hypothesis[]) => call(() => go.ApprovePlan(id, plan, hypotheses))
export const rerun = (id: string, from: string, review: boolean) => call(() => go.Rerun(id, from, review))
export const rename = (id: string, title: string) => call(() => go.Rename(id, title))
export const remove = (id: string) => call(() => go.Delete(id))
export const report = (id: string) => call(() => go.Report(id))
export const soFar = (id: string) => call(() => go.SoFar(id))
export const passage = (id: string, passage: string, around: number) => call(() => go.Passage(id, passage, around))
export const recompute = (id: string) => call(() => go.Recompute(id))
export const exportAs = (id: string, form: string) => call(() => go.Export(id, form))
export const strike = (id: string, names: string[], restore: boolean) => call(() => go.Strike(id, names, restore))
export const struck = (id: string) => call(() => go.Struck(id))
export const openLink = (url: string) => call(() => go.OpenLink(url))
export const places = () => call(() => go.Places())
export const addFolder = (dir: string) => call(() => go.AddFolder(dir))
export const removeFolder = (dir: string) => call(() => go.RemoveFolder(dir))
export const librarySettings = () => call(() => go.LibrarySettings())
export const setLibrary = (name: string, value: string) => call(() => go.SetLibrary(name, value))
export const searchLibrary = (words: string, dir: string) => call(() => go.SearchLibrary(words, dir))
export const chooseFolder = () => call(() => go.ChooseFolder())
export const chooseFiles = () => call(() => go.ChooseFiles())

export const hardware = () => call(() => go.Hardware())
export const lookAgain = (wake: boolean) => call(() => go.LookAgain(wake))
export const plan = () => call(() => go.Plan())
export const usePlan = (model: string, context: number, reserve: boolean) => call(() => go.UsePlan(model, context, reserve))
export const resetPlan = () => call(() => go.ResetPlan())
export const fitTable = () => call(() => go.FitTable())
export const fitWords = (name: string) => call(() => go.FitWords(name))
export const modelFacts = (name: string) => call(() => go.ModelFacts(name))
export const models = () => call(() => go.Models())
export const loadModel = (name: string, context: number, minutes: number) => call(() => go.LoadModel(name, context, minutes))
export const unloadModel = (name: string) => call(() => go.UnloadModel(name))
export const replacedModel = (name: string, of: string) => call(() => go.ReplacedModel(name, of))
export const copyModel = (from: string, to: string, replace: boolean) => call(() => go.CopyModel(from, to, replace))
export const deleteModel = (name: string) => call(() => go.DeleteModel(name))
export const pullModel = (name: string, yesTo: string) => call(() => go.PullModel(name, yesTo))
export const createModel = (name: string, file: string, checksum: string, replace: boolean) => call(() => go.CreateModel(name, file, checksum, replace))
export const chooseModelFile = () => call(() => go.ChooseModelFile())
export const jobs = () => call(() => go.Jobs())
export const pauseJob = (name: string) => call(() => go.PauseJob(name))
export const cancelJob = (name: string) => call(() => go.CancelJob(name))
export const forgetJob = (name: string) => call(() => go.ForgetJob(name))
export const server = () => call(() => go.Server())
export const setServer = (s: app.ServerSettings) => call(() => go.SetServer(s))
export const startServer = () => call(() => go.StartServer())
export const stopServer = () => call(() => go.StopServer())
export const serverLog = () => call(() => go.ServerLog())
export const bakeoffs = () => call(() => go.Bakeoffs())
export const bakeoffOf = (id: string) => call(() => go.Bakeoff(id))
export const bakeoffProof = (id: string, trial: string) => call(() => go.BakeoffProof(id, trial))
export const startBakeoff = (q: app.BakeoffQuery) => call(() => go.StartBakeoff(q))
export const resumeBakeoff = (id: string, runs: number) => call(() => go.ResumeBakeoff(id, runs))
export const stopBakeoff = (id: string) => call(() => go.StopBakeoff(id))
export const verdicts = (model: string) => call(() => go.Verdicts(model))
export const deleteBakeoff = (id: string) => call(() => go.DeleteBakeoff(id))
export const supersede = (id: string, retest: string, reason: string) => call(() => go.SupersedeVerdict(id, retest, reason))

/** The names of the events that the program sends; app/events.go holds the same. */
export type EventName = 'run' | 'runs' | 'library' | 'hardware' | 'models' | 'jobs' | 'bakeoffs' | 'bakeoff' | 'server'

/** on calls back for each event of a name until the returned function is called. */
export function on<T>(name: EventName, heard: (data: T) => void): () => void {
  if (!('runtime' in window)) return () => {}
  return EventsOn(name, heard)
}
