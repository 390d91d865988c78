import { describe, expect, it } from 'vitest'
import { changelog, done, memory, modelName, outcomeMark, passMark, retests, share, stateMark, stepWords, title, tokensOf } from './bakeoff'
import type { app, bakeoff, desk } from './wailsjs/go/models'

const tick = (over: Partial<desk.BakeoffTick> = {}): desk.BakeoffTick => ({ id: 'b', step: 'question', model: 'ollama:m', run: 1, trial: 2, trials: 4, question: 2, total: 5, ...over })
const line = (id: string, model: string, over: Partial<desk.VerdictLine> = {}, entry: Partial<bakeoff.Entry> = {}): desk.VerdictLine => ({
  entry: { id, at: '2026-12-01T10:00:00Z', bakeoff: 'b', prev: '', verdict: { candidate: { model, digest: '', quantization: '', parameters: '' }, baseline: { model: 'extractive', digest: '', quantization: '', parameters: '' }, role: '', outcome: 'keep', backend: 'ollama', version: '0.17.4', reasons: [], labels: [], unchecked: [], trials: [], passed: 1, failed: 0 }, ...entry },
  hash: '',
  standing: true,
  superseded_by: '',
  retest: '',
  reason: '',
  elsewhere: '',
  removed_at: '',
  ...over,
})
const row = (over: Partial<desk.BakeoffRow> = {}): desk.BakeoffRow => ({ trial: 't', model: 'ollama:m', role: '', reference: false, run: 1, done: true, unproven: [], total: {} as bakeoff.Scores, version: '', why: [], notes: [], pass: true, ...over })

describe('steps', () => {
  it('say what it is at', () => {
    expect(stepWords(tick())).toBe('m answers question 2 of 5 · trial 2 of 4')
    expect(stepWords(tick({ step: 'prove', trial: 0 }))).toBe('Proving in which mode m runs')
    expect(['library', 'load', 'judge'].map((step) => stepWords(tick({ step })))).toEqual(['Reading the library', 'Loading m · trial 2 of 4', 'Judging'])
    expect(stepWords(null)).toBe('Looking at the models')
  })
  it('say how much is done', () => {
    expect([done(null), done(tick({ trial: 0, question: 0 })), done(tick()), done(tick({ step: 'judge' }))]).toEqual([null, 0, 0.3, 1])
  })
})

describe('marks', () => {
  it('tell a trial that was not proven from one that failed', () => {
    expect([row({ reference: true }), row({ unproven: ['x'] }), row({ pass: undefined }), row(), row({ pass: false })].map((r) => passMark(r).word)).toEqual(['baseline', 'not proven', 'not finished', 'passed', 'failed'])
  })
  it('have a word for every outcome', () => {
    expect(['keep', 'discard', 'informational', 'discard outright', 'untested', 'x'].map((o) => outcomeMark(o).word)).toEqual(['kept', 'discarded', 'information only', 'discarded outright', 'not tested', 'x'])
  })
  it('tell who works on it', () => {
    const l = { live: false, state: 'running', holder: 'terminal, process 7' } as app.BakeoffLine
    expect([stateMark({ ...l, live: true }).word, stateMark(l).word, stateMark({ ...l, state: 'interrupted' }).word]).toEqual(['running', 'running elsewhere', 'interrupted'])
  })
})

describe('changelog', () => {
  it('keeps what was superseded, newest first, with the entry that says so', () => {
    const by = line('e3', '', {}, { verdict: undefined, supersedes: 'e1', retest: 'e2', reason: 'more runs' })
    const all = changelog([line('e1', 'ollama:m', { standing: false, superseded_by: 'e3', retest: 'e2', reason: 'more runs' }), line('e2', 'ollama:m'), by])
    expect(all.map((s) => [s.line.entry.id, s.line.standing, s.by?.entry.id])).toEqual([
      ['e2', true, undefined],
      ['e1', false, 'e3'],
    ])
  })
  it('offers only later verdicts of the same model and role', () => {
    const all = changelog([line('e1', 'a'), line('e2', 'b'), line('e3', 'a'), line('e4', 'a', { standing: false })])
    expect(retests(all, all.at(-1)!).map((s) => s.line.entry.id)).toEqual(['e3'])
    expect(retests(all, all[0]!)).toEqual([])
  })
})

describe('numbers', () => {
  it('are dashes when they are not known', () => {
    expect([share(null), share(undefined), share(0), share(0.915)]).toEqual(['–', '–', '0.00', '0.92'])
    expect([memory(row()), memory(row({ size_bytes: 2 ** 30 })), memory(row({ size_bytes: 2 ** 20, size_vram_bytes: 0 })), memory(row({ size_bytes: 2 ** 31, size_vram_bytes: 2 ** 30 })), memory(row({ size_bytes: 2 ** 30, size_vram_bytes: 2 ** 30 }))]).toEqual([
      ['–', ''],
      ['1.00 GiB', 'where is not told'],
      ['1.0 MiB', 'in system memory'],
      ['2.00 GiB', '1.00 GiB on the GPU'],
      ['1.00 GiB', 'on the GPU'],
    ])
    expect(tokensOf({ prompt_tokens: 0, answer_tokens: 0 } as bakeoff.Scores)).toBe('none')
  })
  it('names', () => expect([modelName('ollama:qwen3:8b'), title({ id: 'x', models: ['ollama:a', 'ollama:b'], baseline: 'extractive' }), title({ id: 'x', models: [], baseline: '' })]).toEqual(['qwen3:8b', 'a, b against extractive', 'x']))
})
