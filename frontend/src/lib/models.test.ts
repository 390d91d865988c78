import { describe, expect, it } from 'vitest'
import { abilities, filter, heat, hostOf, jobWords, lookMark, quant, stays, where } from './models'
import type { app } from './wailsjs/go/models'

const G = 2 ** 30
const cell = (fit: string, needs: number): app.FitCell => ({ context: 16384, kv: 'f16', needs_bytes: needs * G, left_bytes: 0, over_bytes: G, fit, bound: false })
const model = (over: Partial<app.ModelRow> = {}): app.ModelRow => ({ name: 'm:1b', digest: '', size: 0, family: 'llama', parameters: '', quantization: 'Q4_K_M', context_length: 0, capabilities: [], embeds: false, remote: '', modified_ms: 0, ...over })
const job = (over: Partial<app.ModelJob> = {}): app.ModelJob => ({ name: 'm', phase: 'fetching', done: 11.2e9, total: 18.6e9, per_second: 41e6, left_ms: 180_000, tries: 0, kind: 'pull', over: false, asked: 'm', host: '', ...over })

describe('heat', () => {
  it('is told apart by a shape and by words, not by colour alone', () => {
    const cells = ['fits', 'reserve', 'spills', 'unknown'].map((f) => heat(cell(f, 9), 16 * G, G))
    expect(cells.map((c) => [c.icon, c.title])).toEqual([
      ['', '9.0 GiB at 16k: fits'],
      ['warn', '9.0 GiB at 16k: fits, but inside the 1.0 GiB reserve'],
      ['no', '9.0 GiB at 16k: spills to system memory, 1.0 GiB too much'],
      ['half', '9.0 GiB at 16k; whether it fits is unknown'],
    ])
    expect(heat(cell('spills', 9), 16 * G, G, false).title).toContain('does not fit')
  })
  it('is stronger the fuller the memory', () => expect([4, 9, 14].map((n) => heat(cell('fits', n), 16 * G, G).cls)).toEqual(['h1', 'h2', 'h3']))
  it('has a dash beyond what the model allows, and never a zero', () => {
    expect(heat(undefined, null, 0)).toMatchObject({ text: '–', cls: 'hn2' })
    expect(heat(cell('fits', 0.001), null, 0).text).toBe('<0.1')
  })
})

describe('jobWords', () => {
  it('says bytes, speed and time left', () => expect(jobWords(job()).line).toBe('11.2 GB of 18.6 GB · 41 MB/s · 3 min left'))
  it('says what is not known yet by leaving it out', () => expect(jobWords(job({ per_second: undefined, left_ms: undefined, total: 0 })).line).toBe(''))
  it('says that a broken transfer is tried again', () => expect(jobWords(job({ phase: 'waiting', tries: 2 })).line).toContain('tried again 2 times'))
  it('has words for every phase', () => {
    for (const phase of ['asking', 'fetching', 'checking', 'uploading', 'making', 'waiting', 'paused', 'stopped', 'done', 'failed']) expect(jobWords(job({ phase })).line, phase).not.toBe('')
    expect(jobWords(job({ phase: 'failed', error: 'no space' }))).toMatchObject({ line: 'no space', bad: true })
    expect(jobWords(job({ phase: 'stopped', kind: 'create' })).line).toContain('Nothing was made')
  })
  it('never passes the end', () => expect(jobWords(job({ done: 20e9 })).part).toBe(1))
})

describe('hostOf', () => {
  it('names a host that is not Ollama’s registry', () => {
    const names = ['gpt-oss:20b', 'user/m:1b', 'hf.co/user/m:q4', 'http://127.0.0.1:5000/library/m', 'registry.ollama.ai/library/m', 'http://host/m', ' ']
    expect(names.map(hostOf)).toEqual(['', '', 'hf.co', '127.0.0.1:5000', '', 'host', ''])
  })
})

describe('words', () => {
  it('where a model is belongs to the machine', () => {
    expect(where({ size: 10, size_vram: 10 })).toEqual({ word: 'on the GPU', whole: true })
    expect(where({ size: 10, size_vram: 7 })).toEqual({ word: '70 % on the GPU', whole: false })
    expect(where({ size: 10, size_vram: 0 })).toEqual({ word: 'in system memory', whole: false })
    expect(where({ size: 10, size_vram: 0 }, false).whole).toBe(true)
  })
  it('stays', () => expect([stays({ expires_ms: 0 }, 0), stays({ expires_ms: 240_000 }, 0), stays({ expires_ms: 1 }, 5)]).toEqual(['stays until it is unloaded', 'stays 4 min after its last use', 'is let go soon']))
  it('a load that was only estimated is neither good nor bad', () => {
    expect([lookMark({ text: '', checked: true, close: true }).cls, lookMark({ text: '', checked: false, close: true }).cls, lookMark({ text: '', checked: true, close: false }).cls]).toEqual(['ok', 'dim', 'unc'])
  })
  it('abilities leave out what goes without saying', () => {
    expect(abilities(model({ capabilities: ['completion', 'tools'] }))).toEqual(['tools'])
    expect(abilities(model({ embeds: true }))).toEqual(['embedding'])
  })
  it('quant', () => expect([quant(model()), quant(model({ quantization: 'unknown' }))]).toEqual(['Q4_K_M', '']))
  it('filter', () => expect(filter([model(), model({ name: 'other', family: 'qwen' })], ' QWEN ').map((m) => m.name)).toEqual(['other']))
})
