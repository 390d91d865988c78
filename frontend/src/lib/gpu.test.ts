import { describe, expect, it } from 'vitest'
import { ago, barSentence, cardLine, cardsBar, fitMark, frame, kvName, memoryBar, minutes, modelSegments, niceStep, remark, stale, timeline, timelineSentence, tokens, upper, widths } from './gpu'
import type { gpu } from './wailsjs/go/models'

const G = 2 ** 30

function sample(over: Partial<gpu.Sample> = {}): gpu.Sample {
  return {
    at_ms: 1_000_000,
    status: {
      memory_total_bytes: 32 * G,
      memory_free_bytes: 20 * G,
      gpus: [{ index: 0, name: 'Card', memory_total_bytes: 16 * G, memory_used_bytes: 13 * G, memory_free_bytes: 2.6 * G, memory_reserved_bytes: 0.4 * G, usable_bytes: 2.6 * G }],
      processes: [],
      kind: 'ok',
      conditions: [],
      note: '',
    },
    models: [{ name: 'm:1b', size_bytes: 12 * G, size_vram_bytes: 12 * G }],
    server: '',
    holders: [
      { kind: 'model', name: 'm:1b', memory_bytes: 12 * G },
      { kind: 'process', name: 'firefox', memory_bytes: 0.5 * G },
      { kind: 'driver', name: 'reserve of the driver', memory_bytes: 0.4 * G },
      { kind: 'other', name: 'other programs, screens and the driver', memory_bytes: 0.5 * G },
    ],
    alarms: [],
    ...over,
  }
}

describe('cardsBar', () => {
  it('has every holder, the free memory, and the parts of a model', () => {
    const shares = [
      { kind: 'weights', bytes: 11 * G, host: false },
      { kind: 'input', bytes: 1 * G, host: true },
      { kind: 'kv', bytes: 0.5 * G, host: false },
      { kind: 'compute', bytes: 0.3 * G, host: false },
    ]
    const bar = cardsBar(sample(), { 'm:1b': shares }, { model: 'm:1b', cache: '16k, q8', compute: 'batch 512', reserve: G })
    expect(bar.segments.map((s) => [s.name, s.bytes / G, s.detail])).toEqual([
      ['Desktop', 0.5, 'and the rest'],
      ['Driver', 0.4, 'its reserve'],
      ['firefox', 0.5, 'program'],
      ['Model weights', 11, 'm:1b'],
      ['KV cache', 0.5, '16k, q8'],
      ['Compute', 0.5, 'batch 512'],
      ['Free', 2.6, 'reserve 1.0'],
    ])
    expect([bar.used, bar.total]).toEqual([13 * G, 16 * G])
    const wide = widths(bar)
    expect(wide.reduce((a, b) => a + b)).toBeCloseTo(100)
    expect(barSentence(bar)).toContain('Model weights (m:1b) 11.00 GiB')
  })
  it('keeps what is unknown unknown', () => {
    const s = sample()
    s.status.gpus[0] = { index: 0, name: 'Card', memory_total_bytes: 16 * G }
    s.holders = [{ kind: 'process', name: 'python3' }]
    const bar = cardsBar(s)
    expect(bar).toEqual({ segments: [], quiet: ['python3'], used: null, total: 16 * G })
    expect(barSentence(bar)).toBe('python3 an unknown amount')
    expect(barSentence({ segments: [], quiet: [], used: null, total: null })).toBe('Nothing is known')
  })
  it('counts no card that shares the machine’s memory, and none that sleeps', () => {
    const s = sample({ holders: [] })
    s.status.gpus.push({ index: 1, name: 'Graphics', memory_total_bytes: 8 * G, shared: true }, { index: 2, name: 'Asleep', asleep: true })
    expect(cardsBar(s).total).toBe(16 * G)
    s.status.gpus = []
    expect(cardsBar(s)).toMatchObject({ used: null, total: null, segments: [] })
  })
})

describe('modelSegments', () => {
  it('does not split a model whose estimate is larger than what it holds', () => {
    expect(modelSegments('m', 5, [{ kind: 'weights', bytes: 6, host: false }])).toEqual([{ cls: 'v-weights', name: 'Model', bytes: 5, detail: 'm' }])
  })
})

describe('memoryBar', () => {
  it('shows what of a model no card holds', () => {
    const bar = memoryBar(sample({ models: [{ name: 'm', size_bytes: 12 * G, size_vram_bytes: 9 * G }] }))
    expect(bar.segments.map((s) => [s.name, s.bytes / G])).toEqual([['Programs and system', 9], ['Model', 3], ['Free', 20]])
  })
  it('knows nothing without figures', () => {
    const s = sample({ models: [] })
    delete s.status.memory_free_bytes
    expect(memoryBar(s)).toEqual({ segments: [], quiet: [], used: null, total: 32 * G })
  })
})

describe('timeline', () => {
  const now = 100 * 60_000
  const point = (minute: number, used: number | undefined, models = 0): gpu.Point => ({ at_ms: now - minute * 60_000, used_bytes: used, models_bytes: models })
  it('draws models over the rest, and scales to the whole of the memory', () => {
    const t = timeline([point(3, 2 * G), point(2, 8 * G, 6 * G), point(1, 8 * G, 6 * G)], 16 * G, now)
    expect(t.areas.map((a) => a.cls)).toEqual(['v-desktop', 'v-weights'])
    expect(t.rules.map((r) => r.text)).toEqual(['0', '4', '8', '12', '16'])
    expect(t.rules.at(-1)).toMatchObject({ y: frame.top, top: true })
    expect(t.areas[1]!.path).not.toContain('NaN')
  })
  it('leaves a gap where nothing is known and where nobody looked', () => {
    expect(timeline([point(9, G), point(8, undefined), point(7, G)], 16 * G, now).areas).toHaveLength(2)
    expect(timeline([point(9, G), point(3, G)], 16 * G, now).areas).toHaveLength(2)
    expect(timeline([point(9, G), point(8, G), point(7, G)], 16 * G, now).areas).toHaveLength(1)
    expect(timeline([point(40, G)], 16 * G, now).areas).toEqual([])
  })
  it('draws one look alone, and a card of unknown size', () => {
    const t = timeline([point(1, 3 * G)], null, now)
    expect(t.areas).toHaveLength(1)
    expect(t.rules.every((r) => !r.top)).toBe(true)
  })
  it('says itself in words', () => {
    expect(timelineSentence([point(2, G), point(1, 8 * G, 6 * G)])).toMatch(/1\.0 to 8\.0 GiB, 8\.0 GiB at \d\d:\d\d, of which models held 6\.0 GiB/)
    expect(timelineSentence([point(1, undefined)])).toContain('unknown')
  })
  it('thins to a row a minute, the one with most in use', () => {
    const rows = minutes([{ at_ms: 0, used_bytes: 1, models_bytes: 0 }, { at_ms: 10_000, used_bytes: 5, models_bytes: 0 }, { at_ms: 20_000, models_bytes: 0 }, { at_ms: 60_000, used_bytes: 2, models_bytes: 0 }])
    expect(rows.map((r) => r.used_bytes)).toEqual([2, 5])
  })
})

describe('words', () => {
  it('niceStep gives three to five rules', () => {
    for (const total of [0.3, 1, 8, 12, 15.99, 24, 80, 139, 1100]) {
      const n = (total * G) / niceStep(total * G)
      expect(n, String(total)).toBeGreaterThan(2)
      expect(n, String(total)).toBeLessThanOrEqual(4.5)
    }
  })
  it('tokens', () => expect([tokens(16384), tokens(8192), tokens(1000), tokens(40960), tokens(0)]).toEqual(['16k', '8k', '1,000', '40k', '0']))
  it('kvName', () => expect([kvName('q8_0'), kvName('f16'), kvName('bf16')]).toEqual(['q8', 'f16', 'bf16']))
  it('a mark for each fit has a shape and a word', () => expect(['fits', 'reserve', 'spills', 'unknown', ''].map((f) => fitMark(f).word)).toEqual(['fits', 'in reserve', 'spills', 'unknown', 'unknown']))
  it('ago and stale', () => {
    expect([ago(2000), ago(-50), ago(89_000), ago(150_000)]).toEqual(['read 2 s ago', 'read 0 s ago', 'read 89 s ago', 'read 3 min ago'])
    expect([stale(20_000, 5000), stale(40_000, 5000), stale(100_000, 120_000)]).toEqual([false, true, false])
  })
  it('upper leaves the name of a model as it is', () => {
    expect([upper('takes 1 MiB'), upper('gpt-oss:20b needs'), upper('12 things'), upper('')]).toEqual(['Takes 1 MiB', 'gpt-oss:20b needs', '12 things', ''])
  })
  it('cardLine leaves out what is unknown', () => {
    expect(cardLine({ index: 0, name: 'Card' })).toBe('Card')
    expect(cardLine({ index: 0, name: 'Card', driver: '570', busy_percent: 0, power_milliwatts: 26_200 })).toBe('Card · driver\u00a0570 · 0\u00a0%\u00a0busy · 26\u00a0W')
  })
  it('remark', () => expect([remark('wsl2'), remark('driver_mismatch'), remark('none')]).toEqual([true, false, true]))
})
