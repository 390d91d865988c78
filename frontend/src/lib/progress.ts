// What a run has done, folded from its events. The fold is pure: the same events give the same view, whatever the pace at
// which they came.
import type { app } from './wailsjs/go/models'
import { angles, stages } from './words'

export type StageState = 'waiting' | 'running' | 'done'
export type Stage = { name: string; state: StageState; round: number; beganMs: number; tookMs: number; counts: [string, number][] }
export type Source = { id: string; title: string; location: string; verdict: string; note: string; angle: string; adversarial: boolean; quality: string }
export type Check = { check: string; action: string; hits: string[]; times: number; attempt: number }
export type Note = { seq: number; level: string; text: string; atMs: number }
export type Sent = { host: string; kind: string; requests: number; bytes: number; faults: number }

export type Progress = {
  last: number
  state: string
  detail: string
  beganMs: number
  newestMs: number
  stages: Stage[]
  sources: Source[]
  checks: Check[]
  notes: Note[]
  outbox: Sent[]
  searches: number
  reads: number
  calls: number
  tokensIn: number
  tokensOut: number
  answeredBy: string
}

/** begin is a run of which nothing is known yet. */
export function begin(): Progress {
  return {
    last: 0, state: '', detail: '', beganMs: 0, newestMs: 0,
    stages: stages.map((s) => ({ name: s.name, state: 'waiting', round: 0, beganMs: 0, tookMs: 0, counts: [] })),
    sources: [], checks: [], notes: [], outbox: [], searches: 0, reads: 0, calls: 0, tokensIn: 0, tokensOut: 0, answeredBy: '',
  }
}

type Fields = Record<string, unknown>
const str = (v: unknown) => (typeof v === 'string' ? v : '')
const num = (v: unknown) => (typeof v === 'number' && Number.isFinite(v) ? v : 0)
const list = (v: unknown) => (Array.isArray(v) ? v.filter((x): x is string => typeof x === 'string') : [])

/** payload reads an event's payload; what is no object reads as an empty one. */
function payload(text: string): Fields {
  try {
    const v: unknown = JSON.parse(text || '{}')
    return v && typeof v === 'object' && !Array.isArray(v) ? (v as Fields) : {}
  } catch {
    return {}
  }
}

/** apply adds a batch to p and returns p. Events that p has already are passed over, so a batch may overlap. */
export function apply(p: Progress, batch: Pick<app.RunEvents, 'events' | 'last' | 'info'>): Progress {
  for (const e of batch.events) {
    if (e.seq <= p.last) continue
    p.last = e.seq
    p.newestMs = Math.max(p.newestMs, e.at_ms)
    if (!p.beganMs) p.beganMs = e.at_ms
    one(p, e)
  }
  p.last = Math.max(p.last, batch.last)
  if (batch.info.state) {
    p.state = batch.info.state
    p.detail = batch.info.detail
  }
  settle(p)
  return p
}

function one(p: Progress, e: app.RunEvent): void {
  const v = payload(e.payload)
  if (e.kind.startsWith('stage ')) {
    const s = p.stages.find((x) => x.name === e.kind.slice(6))
    if (s) {
      s.state = 'done'
      s.tookMs += e.took_ms
      s.counts = Object.keys(v).map((k): [string, number] => [k, num(v[k])])
    }
    return
  }
  switch (e.kind) {
    case 'begin': {
      const i = p.stages.findIndex((x) => x.name === str(v.stage))
      if (i < 0) return
      // A later round goes back: what follows waits again.
      p.stages.forEach((s, j) => {
        if (j > i && num(v.round) > 0) s.state = 'waiting'
      })
      const s = p.stages[i]!
      s.state = 'running'
      s.round = num(v.round)
      s.beganMs = e.at_ms
      return
    }
    case 'source': {
      const s: Source = { id: str(v.id), title: str(v.title), location: str(v.location), verdict: str(v.verdict), note: str(v.note), angle: str(v.angle), adversarial: v.adversarial === true, quality: str((v.quality as Fields | undefined)?.value) }
      const at = p.sources.findIndex((x) => x.id === s.id)
      if (at < 0) p.sources.push(s)
      else p.sources[at] = s
      return
    }
    case 'check': {
      const c: Check = { check: str(v.check), action: str(v.action), hits: list(v.hits), times: 1, attempt: num(v.attempt) }
      const same = p.checks.find((x) => x.check === c.check && x.action === c.action)
      if (same) {
        same.times++
        same.hits = [...same.hits, ...c.hits].slice(0, 8)
      } else p.checks.push(c)
      return
    }
    case 'note':
      p.notes.push({ seq: e.seq, level: str(v.level), text: str(v.text), atMs: e.at_ms })
      if (p.notes.length > 200) p.notes.shift()
      return
    case 'outbox': {
      const at = p.outbox.find((x) => x.host === str(v.host) && x.kind === str(v.kind))
      const fault = str(v.fault) ? 1 : 0
      if (at) {
        at.requests++
        at.bytes += num(v.bytes)
        at.faults += fault
      } else p.outbox.push({ host: str(v.host), kind: str(v.kind), requests: 1, bytes: num(v.bytes), faults: fault })
      return
    }
    case 'state':
      p.state = str(v.state)
      p.detail = str(v.detail)
      return
    case 'search':
      p.searches++
      return
    case 'read':
    case 'fetch':
      p.reads++
      return
    case 'model':
      p.calls++
      p.tokensIn += num(v.prompt_tokens)
      p.tokensOut += num(v.answer_tokens)
      p.answeredBy = str(v.by) || p.answeredBy
  }
}

/** settle makes the stages agree with the state: nothing runs in a run that does not. */
function settle(p: Progress): void {
  if (p.state === 'done') for (const s of p.stages) s.state = 'done'
}

export type Tally = { angle: string; accepted: number; opened: number; adversarial: boolean }

/** tally counts the sources of each angle, all ten in order. */
export function tally(sources: Source[]): Tally[] {
  return angles.map((angle) => {
    const of = sources.filter((s) => s.angle === angle)
    return { angle, opened: of.length, accepted: of.filter((s) => s.verdict === 'verified').length, adversarial: angle === 'criticism' || angle === 'opposition' }
  })
}

/** current is the stage at work, or the one that a run would go on with. */
export function current(p: Progress): Stage | undefined {
  return p.stages.find((s) => s.state === 'running') ?? p.stages.find((s) => s.state === 'waiting')
}

const counted: Record<string, [string, string]> = {
  facets: ['facet', 'facets'], hypotheses: ['hypothesis', 'hypotheses'], tasks: ['task', 'tasks'], queries: ['query', 'queries'], sources: ['source', 'sources'], passages: ['passage', 'passages'],
  claims: ['claim', 'claims'], findings: ['finding', 'findings'], contradictions: ['contradiction', 'contradictions'],
  gaps: ['gap', 'gaps'], sections: ['section', 'sections'], issues: ['issue', 'issues'], dropped: ['dropped', 'dropped'],
}

/** sayCounts writes what a stage made: "22 sources · 143 claims". Counts that mean nothing to a reader are left out. */
export function sayCounts(counts: [string, number][]): string {
  return counts
    .filter(([k, n]) => Object.hasOwn(counted, k) && (n > 0 || k === 'sources' || k === 'claims' || k === 'findings'))
    .map(([k, n]) => `${n} ${counted[k]![n === 1 ? 0 : 1]}`)
    .join(' · ')
}

/** stateSentence says what a state means and what to do, in one sentence; empty for a run that needs nothing said. */
export function stateSentence(p: Progress): string {
  const at = current(p)
  const step = at ? stages.find((s) => s.name === at.name)!.title : 'Persist'
  const kept = `${p.sources.length} ${p.sources.length === 1 ? 'source is' : 'sources are'} on disk`
  // What only says that the run can be resumed is said below.
  const why = /can be resumed/.test(p.detail) ? '' : p.detail.replace(/[.。]\s*$/, '')
  const detail = why ? `${why.charAt(0).toUpperCase()}${why.slice(1)}. ` : ''
  switch (p.state) {
    case 'paused':
      return `${detail}Paused in ${step}; ${kept}. Resume goes on at this step.`
    case 'interrupted':
      return `${detail}Interrupted in ${step}; ${kept}. Resume goes on at this step.`
    case 'stopped':
      return `${detail}Stopped in ${step}; ${kept}. Resume goes on at this step.`
    case 'failed':
      return `${detail}The run ended in ${step}; ${kept}. Resume tries this step again.`
  }
  return ''
}
