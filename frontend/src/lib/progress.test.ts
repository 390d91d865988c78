import { describe, expect, it } from 'vitest'
import { apply, begin, current, sayCounts, stateSentence, tally } from './progress'
import type { app } from './wailsjs/go/models'

const info = (state: string): app.RunRow => ({ id: 'r', title: '', question: '', state, detail: '', created_ms: 0, updated_ms: 0, model: '', depth: '', findings: 0, sources: 0, schema: 1, code: '', asked: '', place: { priority: 0, rank: 0, added_ms: 0 }, live: true })
const ev = (seq: number, kind: string, payload: unknown = {}, took_ms = 0): app.RunEvent => ({ seq, kind, at_ms: 1000 * seq, took_ms, payload: JSON.stringify(payload) })
const source = (seq: number, id: string, verdict: string, angle: string) => ev(seq, 'source', { id, title: id, location: `docs/${id}`, verdict, angle, note: 'why', quality: { value: '3/4' } })

const story = [
  ev(1, 'state', { state: 'running' }),
  ev(2, 'begin', { stage: 'understand', round: 0 }),
  ev(3, 'stage understand', { facets: 2, terms: 5 }, 40),
  ev(4, 'begin', { stage: 'search', round: 0 }),
  source(5, 's1', 'verified', 'history'),
  source(6, 's2', 'reject_duplicate', 'criticism'),
  ev(7, 'search'),
  ev(8, 'model', { by: 'extractive', prompt_tokens: 10, answer_tokens: 5 }),
  ev(9, 'check', { check: 'G09', action: 'removed', hits: ['a'] }),
  ev(10, 'check', { check: 'G09', action: 'removed', hits: ['b'] }),
  ev(11, 'outbox', { host: 'a.example', kind: 'page', bytes: 5 }),
  ev(12, 'outbox', { host: 'a.example', kind: 'page', bytes: 7, fault: 'refused' }),
  ev(13, 'note', { level: 'warn', text: 'slow' }),
]

describe('apply', () => {
  it('folds a run', () => {
    const p = apply(begin(), { events: story, last: 13, info: info('running') })
    expect(p.stages[0]).toMatchObject({ state: 'done', tookMs: 40, counts: [['facets', 2], ['terms', 5]] })
    expect(current(p)?.name).toBe('search')
    expect(p.sources.map((s) => s.verdict)).toEqual(['verified', 'reject_duplicate'])
    expect(p.sources[0]!.quality).toBe('3/4')
    expect([p.searches, p.calls, p.tokensIn, p.tokensOut, p.answeredBy]).toEqual([1, 1, 10, 5, 'extractive'])
    expect(p.checks).toEqual([{ check: 'G09', action: 'removed', hits: ['a', 'b'], times: 2, attempt: 0 }])
    expect(p.outbox).toEqual([{ host: 'a.example', kind: 'page', requests: 2, bytes: 12, faults: 1 }])
    expect(p.notes).toHaveLength(1)
  })
  it('is the same however the events are cut into batches, overlapping too', () => {
    const whole = apply(begin(), { events: story, last: 13, info: info('running') })
    for (let cut = 0; cut <= story.length; cut++) {
      const p = apply(begin(), { events: story.slice(0, cut), last: cut, info: info('running') })
      expect(apply(p, { events: story.slice(Math.max(0, cut - 3)), last: 13, info: info('running') })).toEqual(whole)
    }
  })
  it('goes back for a gap round', () => {
    const p = apply(begin(), { events: [ev(1, 'begin', { stage: 'reason' }), ev(2, 'stage reason'), ev(3, 'begin', { stage: 'plan', round: 1 })], last: 3, info: info('running') })
    expect(p.stages.find((s) => s.name === 'plan')).toMatchObject({ state: 'running', round: 1 })
    expect(p.stages.find((s) => s.name === 'reason')!.state).toBe('waiting')
  })
  it('passes over payloads that are none', () => {
    const bad = ['', 'null', '[]', '{', '"x"', '{"stage":7}'].map((payload, i): app.RunEvent => ({ seq: i + 1, kind: ['begin', 'source', 'check', 'note', 'state', 'model'][i]!, at_ms: 0, took_ms: 0, payload }))
    expect(() => apply(begin(), { events: bad, last: 6, info: info('running') })).not.toThrow()
  })
})

describe('what is said', () => {
  it('counts all ten angles', () => {
    const t = tally(apply(begin(), { events: story, last: 13, info: info('running') }).sources)
    expect(t).toHaveLength(10)
    expect(t.find((x) => x.angle === 'criticism')).toEqual({ angle: 'criticism', opened: 1, accepted: 0, adversarial: true })
  })
  it('writes counts', () => expect(sayCounts([['sources', 22], ['claims', 1], ['constructor', 3]])).toBe('22 sources · 1 claim'))
  it('names the step it resumes at', () => {
    const p = apply(begin(), { events: story, last: 13, info: { ...info('paused'), detail: 'the server went away' } })
    expect(stateSentence(p)).toBe('The server went away. Paused in Search; 2 sources are on disk. Resume goes on at this step.')
    expect(stateSentence({ ...p, state: 'stopped', detail: 'stopped; it can be resumed' })).toBe('Stopped in Search; 2 sources are on disk. Resume goes on at this step.')
    expect(stateSentence({ ...p, state: 'running' })).toBe('')
  })
})
