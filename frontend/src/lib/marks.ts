// Judgements as a shape, a colour and a word; never by colour alone.
import { word, type Words } from './words'

export type IconName = 'ok' | 'half' | 'no' | 'con' | 'ring'
export type Mark = { cls: 'ok' | 'unc' | 'rej' | 'con' | 'att'; icon: IconName; word: string }

const single = 'reported by one source'

/** bandMark is the mark of a claim or finding. What one source reports is a neutral ring: no doubt, and no claim of truth. */
export function bandMark(band: string | undefined, label: string | undefined, w: Words): Mark {
  if (label === single) return { cls: 'att', icon: 'ring', word: w.single }
  if (label === 'contested') return { cls: 'con', icon: 'con', word: w.contested }
  if (label === 'unconfirmed') return { cls: 'unc', icon: 'half', word: w.unconfirmed }
  const more = label === 'derived' ? `${w.sep}${w.derived}` : ''
  switch (band) {
    case 'accept':
      return { cls: 'ok', icon: 'ok', word: w.accept + more }
    case 'verify':
      return { cls: 'unc', icon: 'half', word: w.verify + more }
    case 'reject':
      return { cls: 'rej', icon: 'no', word: w.reject + more }
  }
  return { cls: 'att', icon: 'ring', word: w.none + more }
}

/** gateMark is the mark of a line of the checklist. */
export function gateMark(state: string, w: Words): Mark {
  if (state === 'pass') return { cls: 'ok', icon: 'ok', word: w.gate_pass }
  if (state === 'fail') return { cls: 'rej', icon: 'no', word: w.gate_fail }
  return { cls: 'att', icon: 'ring', word: w.gate_unchecked }
}

/** stateMark is the mark of a hypothesis' status or a requirement's state. */
export function stateMark(state: string, w: Words): Mark {
  const text = word(w, state)
  switch (state) {
    case 'confirmed':
    case 'covered':
      return { cls: 'ok', icon: 'ok', word: text }
    case 'partial':
      return { cls: 'unc', icon: 'half', word: text }
    case 'refuted':
    case 'missing':
      return { cls: 'rej', icon: 'no', word: text }
  }
  return { cls: 'att', icon: 'ring', word: text }
}

/** verdictMark is the mark of a source's verdict. */
export function verdictMark(verdict: string, w: Words): Mark {
  return verdict === 'verified' ? { cls: 'ok', icon: 'ok', word: w.verified } : { cls: 'rej', icon: 'no', word: word(w, verdict) }
}

/** stanceMark is the mark of a passage's stance on a claim. */
export function stanceMark(stance: string, w: Words): Mark {
  if (stance === 'confirm') return { cls: 'ok', icon: 'ok', word: w.confirm }
  if (stance === 'contradict') return { cls: 'con', icon: 'con', word: w.contradict }
  return { cls: 'att', icon: 'ring', word: w.neutral }
}

export type RunMark = { cls: 'ok' | 'unc' | 'rej' | 'acc' | 'dim'; icon: 'ok' | 'half' | 'no' | 'pause' | 'run' | 'stack'; word: string }

/** queueMark is the mark of a run in the queue, whose words for its states are the queue's. */
export function queueMark(state: string): RunMark {
  return state === 'completed' ? { cls: 'ok', icon: 'ok', word: 'completed' } : runMark(state)
}

/** runMark is the mark of a run's state. */
export function runMark(state: string): RunMark {
  switch (state) {
    case 'done':
      return { cls: 'ok', icon: 'ok', word: 'done' }
    case 'running':
      return { cls: 'acc', icon: 'run', word: 'running' }
    case 'queued':
      return { cls: 'dim', icon: 'stack', word: 'queued' }
    case 'paused':
      return { cls: 'unc', icon: 'pause', word: 'paused' }
    case 'interrupted':
      return { cls: 'dim', icon: 'pause', word: 'interrupted' }
    case 'stopped':
      return { cls: 'dim', icon: 'half', word: 'stopped' }
    case 'failed':
      return { cls: 'rej', icon: 'no', word: 'failed' }
  }
  return { cls: 'dim', icon: 'half', word: state || 'unknown' }
}
