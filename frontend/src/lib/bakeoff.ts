// Words, marks and numbers of bake-offs. Everything here is pure.
import type { app, bakeoff, desk } from './wailsjs/go/models'
import { amount, count, span } from './format'

export type OutcomeMark = { cls: 'ok' | 'unc' | 'rej' | 'dim' | 'acc'; icon: 'ok' | 'half' | 'no' | 'ring' | 'info'; word: string }

/** outcomeMark is what a verdict came to, as a shape, a colour and a word. */
export function outcomeMark(outcome: string): OutcomeMark {
  switch (outcome) {
    case 'keep':
      return { cls: 'ok', icon: 'ok', word: 'kept' }
    case 'discard':
      return { cls: 'rej', icon: 'no', word: 'discarded' }
    case 'discard outright':
      return { cls: 'rej', icon: 'no', word: 'discarded outright' }
    case 'informational':
      return { cls: 'acc', icon: 'info', word: 'information only' }
    case 'untested':
      return { cls: 'dim', icon: 'ring', word: 'not tested' }
  }
  return { cls: 'dim', icon: 'ring', word: outcome }
}

/** passMark is whether one trial reaches the bar. */
export function passMark(row: desk.BakeoffRow): OutcomeMark {
  if (row.reference) return { cls: 'dim', icon: 'ring', word: 'baseline' }
  if (row.unproven.length) return { cls: 'unc', icon: 'half', word: 'not proven' }
  if (row.pass == null) return { cls: 'dim', icon: 'ring', word: 'not finished' }
  return row.pass ? { cls: 'ok', icon: 'ok', word: 'passed' } : { cls: 'rej', icon: 'no', word: 'failed' }
}

/** modelName is a model as people say it: without its channel. */
export const modelName = (m: string) => m.replace(/^ollama:/, '')

/** roleName is a role in the page's words; empty is every role. */
export const roleName = (r: string) => (r ? r.replace(/_/g, ' ') : 'every role')

/** share writes a share with two decimals; what is not known is a dash. */
export const share = (v: number | null | undefined) => (v == null ? '–' : v.toFixed(2))

/** memory is what a loaded model took, and where it was. */
export function memory(row: desk.BakeoffRow): [size: string, where: string] {
  if (row.size_bytes == null) return ['–', '']
  if (row.size_vram_bytes == null) return [amount(row.size_bytes), 'where is not told']
  if (row.size_vram_bytes === 0) return [amount(row.size_bytes), 'in system memory']
  return [amount(row.size_bytes), row.size_vram_bytes < row.size_bytes ? `${amount(row.size_vram_bytes)} on the GPU` : 'on the GPU']
}

/** took is the time of a trial, from question to report. */
export const took = (s: bakeoff.Scores) => (s.wall_ms ? span(s.wall_ms) : '–')

/** stepWords says what a bake-off is at. */
export function stepWords(t: desk.BakeoffTick | null | undefined): string {
  if (!t) return 'Looking at the models'
  const who = t.model ? modelName(t.model) : ''
  const at = t.trial && t.trials ? `trial ${t.trial} of ${t.trials}` : ''
  switch (t.step) {
    case 'library':
      return 'Reading the library'
    case 'prove':
      return join(`Proving in which mode ${who} runs`, at)
    case 'load':
      return join(`Loading ${who}`, at)
    case 'question':
      return join(`${who} answers question ${t.question} of ${t.total}`, at)
    case 'judge':
      return 'Judging'
  }
  return t.step
}

const join = (...parts: string[]) => parts.filter(Boolean).join(' · ')

/** done is how much of a bake-off is done, from 0 to 1; null while that cannot be said. */
export function done(t: desk.BakeoffTick | null | undefined): number | null {
  if (!t?.trials) return null
  if (t.step === 'judge') return 1
  if (!t.trial) return 0
  const within = t.total && t.question ? (t.question - 1) / t.total : 0
  return Math.min(1, (t.trial - 1 + within) / t.trials)
}

export type StateMark = { cls: 'ok' | 'unc' | 'rej' | 'dim' | 'acc'; icon: 'ok' | 'half' | 'no' | 'pause' | 'run'; word: string }

/** stateMark is the state of a bake-off. */
export function stateMark(l: app.BakeoffLine): StateMark {
  if (l.live) return { cls: 'acc', icon: 'run', word: 'running' }
  switch (l.state) {
    case 'done':
      return { cls: 'ok', icon: 'ok', word: 'done' }
    case 'running':
      return { cls: 'acc', icon: 'run', word: l.holder ? 'running elsewhere' : 'running' }
    case 'interrupted':
      return { cls: 'unc', icon: 'pause', word: 'interrupted' }
    case 'failed':
      return { cls: 'rej', icon: 'no', word: 'failed' }
  }
  return { cls: 'dim', icon: 'half', word: l.state }
}

/** title names a bake-off by who is compared with whom. */
export function title(l: { models: string[]; baseline: string; id: string }): string {
  if (!l.models.length) return l.id
  return `${l.models.map(modelName).join(', ')} against ${modelName(l.baseline)}`
}

/** A line of the changelog as it is shown: a verdict, with the entry by which it gave way. */
export type Shown = { line: desk.VerdictLine; verdict: bakeoff.Verdict; by?: desk.VerdictLine }

/** changelog gives the verdicts, newest first, each that gave way with the entry that says so. */
export function changelog(lines: desk.VerdictLine[]): Shown[] {
  const by = new Map(lines.map((l) => [l.entry.id, l]))
  return lines
    .flatMap((l) => (l.entry.verdict ? [{ line: l, verdict: l.entry.verdict, by: by.get(l.superseded_by) }] : []))
    .reverse()
}

/** retests are the standing verdicts by which a verdict may be superseded: later ones of the same model and role. */
export function retests(all: Shown[], of: Shown): Shown[] {
  const at = all.indexOf(of)
  return all.slice(0, Math.max(at, 0)).filter((s) => s.line.standing && s.verdict.candidate.model === of.verdict.candidate.model && s.verdict.role === of.verdict.role)
}

/** shortId is an entry's id as it is printed. */
export const shortId = (id: string) => id.slice(0, 10)

/** tokensOf are the tokens of a trial, asked and answered. */
export const tokensOf = (s: bakeoff.Scores) => (s.prompt_tokens + s.answer_tokens ? `${count(s.prompt_tokens)} + ${count(s.answer_tokens)}` : 'none')
