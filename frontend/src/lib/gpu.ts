// What the GPU page shows, worked out of one look at the machine and of the half hour before it. Sizes are bytes; null is unknown
// and is never drawn as nothing. Everything here is pure.
import type { gpu } from './wailsjs/go/models'
import { clock, gib, gib2 } from './format'

/** A part of the bar. cls is one of the classes of tokens.css, which are patterns and colours; the words stand in the legend. */
export type Segment = { cls: string; name: string; bytes: number; detail: string }

/** The bar of who holds the memory. used and total are null where they are unknown; quiet are holders whose size is not told. */
export type Bar = { segments: Segment[]; quiet: string[]; used: number | null; total: number | null }

/** A share of a model's memory by its estimate. */
export type Share = { kind: string; bytes: number; host: boolean }

const own = (s: gpu.Status) => s.gpus.filter((g) => !g.shared && !g.asleep)

/** sum adds up; one unknown makes the whole unknown. */
function sum(list: (number | null | undefined)[]): number | null {
  let n = 0
  for (const v of list) {
    if (v == null) return null
    n += v
  }
  return list.length ? n : null
}

/** What is said beside a part of the bar: of the planned model the window and the batch, of the free memory the reserve. */
export type Details = { model?: string; cache?: string; compute?: string; reserve?: number }

/** cardsBar is the bar of all cards with memory of their own. shares are the estimates of loaded models, by name. */
export function cardsBar(look: gpu.Sample, shares: Record<string, Share[]> = {}, details: Details = {}): Bar {
  const cards = own(look.status)
  const total = sum(cards.map((g) => g.memory_total_bytes))
  const used = sum(cards.map((g) => g.memory_used_bytes))
  const segments: Segment[] = []
  const quiet: string[] = []
  const order = ['other', 'driver', 'process', 'model']
  for (const h of [...look.holders].sort((a, b) => order.indexOf(a.kind) - order.indexOf(b.kind))) {
    if (h.memory_bytes == null) quiet.push(h.name)
    else if (h.kind === 'model') segments.push(...modelSegments(h.name, h.memory_bytes, shares[h.name] ?? [], h.name === details.model ? details : {}))
    else segments.push({ ...holderWords(h), bytes: h.memory_bytes })
  }
  const free = sum(cards.map((g) => g.memory_free_bytes ?? g.usable_bytes))
  if (free !== null) segments.push({ cls: 'v-free', name: 'Free', bytes: free, detail: details.reserve ? `reserve ${gib(details.reserve)}` : '' })
  return { segments, quiet, used, total }
}

function holderWords(h: gpu.Holder): { cls: string; name: string; detail: string } {
  if (h.kind === 'driver') return { cls: 'v-driver', name: 'Driver', detail: 'its reserve' }
  if (h.kind === 'process') return { cls: 'v-other', name: h.name, detail: 'program' }
  return { cls: 'v-desktop', name: 'Desktop', detail: 'and the rest' }
}

/** modelSegments are the parts of a loaded model. What the server says it holds is kept; where its estimate says how it is made
 * up, weights and cache are as estimated and the rest is working memory. */
export function modelSegments(name: string, bytes: number, shares: Share[], details: Details = {}): Segment[] {
  const of = (...kinds: string[]) => shares.filter((s) => !s.host && kinds.includes(s.kind)).reduce((n, s) => n + s.bytes, 0)
  const weights = of('weights', 'adapter', 'projector')
  const cache = of('kv', 'kv_windowed', 'recurrent')
  const rest = bytes - weights - cache
  if (!weights || rest < 0) return [{ cls: 'v-weights', name: 'Model', bytes, detail: name }]
  const out: Segment[] = [{ cls: 'v-weights', name: 'Model weights', bytes: weights, detail: name }]
  if (cache) out.push({ cls: 'v-kv', name: 'KV cache', bytes: cache, detail: details.cache ?? '' })
  if (rest) out.push({ cls: 'v-compute', name: 'Compute', bytes: rest, detail: details.compute ?? '' })
  return out
}

/** memoryBar is the bar of the machine's main memory. Of a model the part that no card holds is here. */
export function memoryBar(look: gpu.Sample): Bar {
  const { memory_total_bytes: total = null, memory_free_bytes: free = null } = look.status
  const segments: Segment[] = []
  let here = 0
  for (const m of look.models) {
    const part = m.size_bytes - m.size_vram_bytes
    if (part <= 0) continue
    here += part
    segments.push({ cls: 'v-weights', name: 'Model', bytes: part, detail: m.name })
  }
  const used = total != null && free != null ? Math.max(0, total - free) : null
  if (used !== null) segments.unshift({ cls: 'v-desktop', name: 'Programs and system', bytes: Math.max(0, used - here), detail: '' })
  if (free != null) segments.push({ cls: 'v-free', name: 'Free', bytes: free, detail: 'caches counted as free' })
  return { segments, quiet: [], used, total: total ?? null }
}

/** widths are the parts of the bar in per cent. They fill it when the parts come to more than the total, and the whole of it when the
 * total is unknown. */
export function widths(bar: Bar): number[] {
  const all = bar.segments.reduce((n, s) => n + s.bytes, 0)
  const of = Math.max(all, bar.total ?? 0)
  return bar.segments.map((s) => (of ? (100 * s.bytes) / of : 0))
}

/** barSentence says the bar in words, for those who do not see it. */
export function barSentence(bar: Bar): string {
  const parts = bar.segments.map((s) => `${s.name}${s.detail && s.cls !== 'v-free' ? ` (${s.detail})` : ''} ${gib2(s.bytes)} GiB`)
  return [...parts, ...bar.quiet.map((q) => `${q} an unknown amount`)].join(', ') || 'Nothing is known'
}

/** A drawn history: areas are closed paths, the lowest first. */
export type Timeline = {
  areas: { cls: string; path: string }[]
  rules: { y: number; text: string; top: boolean }[]
  hours: { x: number; text: string; anchor: 'start' | 'middle' | 'end' }[]
}

export const frame = { width: 520, height: 196, left: 36, right: 512, top: 10, bottom: 172 }
const span = 30 * 60_000
/** The longest silence that is drawn as a line: the sampler looks at least every two minutes while it looks. */
const silence = 150_000

/** timeline draws the half hour that ends at now. Where the used memory is unknown, or nobody looked, there is a gap. */
export function timeline(past: gpu.Point[], total: number | null, now: number): Timeline {
  const seen = past.filter((p) => p.at_ms > now - span && p.at_ms <= now)
  const highest = Math.max(1, ...seen.map((p) => p.used_bytes ?? 0))
  const top = total ?? highest * 1.1
  const x = (ms: number) => frame.right - ((now - ms) / span) * (frame.right - frame.left)
  const y = (bytes: number) => frame.bottom - (Math.min(bytes, top) / top) * (frame.bottom - frame.top)
  const runs: gpu.Point[][] = []
  for (const p of seen) {
    if (p.used_bytes == null) continue
    const last = runs.at(-1)?.at(-1)
    const before = last ? seen[seen.indexOf(p) - 1] : undefined
    if (last && before === last && p.at_ms - last.at_ms <= silence) runs.at(-1)!.push(p)
    else runs.push([p])
  }
  const area = (run: gpu.Point[], low: (p: gpu.Point) => number, high: (p: gpu.Point) => number) => {
    const at = (p: gpu.Point, v: number, dx = 0) => `${(x(p.at_ms) + dx).toFixed(1)} ${y(v).toFixed(1)}`
    const alone = run.length === 1 // one look is a stroke as wide as a pixel or two
    const up = run.map((p) => at(p, high(p)))
    const down = [...run].reverse().map((p) => at(p, low(p)))
    if (alone) up.push(at(run[0]!, high(run[0]!), 1.5)), down.unshift(at(run[0]!, low(run[0]!), 1.5))
    return `M${[...up, ...down].join(' L')}Z`
  }
  const rest = (p: gpu.Point) => Math.max(0, (p.used_bytes ?? 0) - p.models_bytes)
  const areas = runs.flatMap((run) => [
    { cls: 'v-desktop', path: area(run, () => 0, rest) },
    ...(run.some((p) => p.models_bytes > 0) ? [{ cls: 'v-weights', path: area(run, rest, (p) => Math.max(rest(p), p.used_bytes ?? 0)) }] : []),
  ])
  return { areas, rules: rules(top, total !== null, y), hours: hours(now) }
}

/** rules are the horizontal lines: round numbers of GiB, and the whole of the memory at the top. */
function rules(top: number, known: boolean, y: (bytes: number) => number): Timeline['rules'] {
  const step = niceStep(top)
  const out: Timeline['rules'] = []
  for (let v = 0; v < top - step / 3; v += step) out.push({ y: y(v), text: trim(v), top: false })
  if (known) out.push({ y: y(top), text: trim(top), top: true })
  return out
}

const trim = (bytes: number) => {
  const g = bytes / 2 ** 30
  return g >= 10 || g === Math.round(g) ? String(Math.round(g)) : g.toFixed(1)
}

/** niceStep is a round part of top, so that there are three to five rules. */
export function niceStep(top: number): number {
  const g = 2 ** 30
  for (const s of [0.125, 0.25, 0.5, 1, 2, 4, 8, 16, 32, 64, 128, 256]) if (top / (s * g) <= 4.5) return s * g
  return top / 4
}

function hours(now: number): Timeline['hours'] {
  return [
    { x: frame.left, text: clock(now - span), anchor: 'start' },
    { x: (frame.left + frame.right) / 2, text: clock(now - span / 2), anchor: 'middle' },
    { x: frame.right, text: clock(now), anchor: 'end' },
  ]
}

/** timelineSentence says the half hour in words. */
export function timelineSentence(past: gpu.Point[]): string {
  const known = past.filter((p) => p.used_bytes != null)
  if (!known.length) return 'How much GPU memory was in use is unknown.'
  const used = known.map((p) => p.used_bytes!)
  const last = known.at(-1)!
  return `GPU memory in use over the last 30 minutes: ${gib(Math.min(...used))} to ${gib(Math.max(...used))} GiB, ${gib(last.used_bytes!)} GiB at ${clock(last.at_ms)}, of which models held ${gib(last.models_bytes)} GiB.`
}

/** minutes thins the history to one row a minute, the one with the most in use, newest first. */
export function minutes(past: gpu.Point[]): gpu.Point[] {
  const by = new Map<number, gpu.Point>()
  for (const p of past) {
    const key = Math.floor(p.at_ms / 60_000)
    const had = by.get(key)
    if (!had || (p.used_bytes ?? -1) > (had.used_bytes ?? -1)) by.set(key, p)
  }
  return [...by.values()].sort((a, b) => b.at_ms - a.at_ms)
}

/** ago says how old a look is. */
export function ago(ms: number): string {
  const s = Math.max(0, Math.round(ms / 1000))
  if (s < 90) return `read ${s} s ago`
  return `read ${Math.round(s / 60)} min ago`
}

/** stale tells whether a look is older than the sampler's own rhythm explains. */
export const stale = (ageMs: number, everyMs: number) => ageMs > Math.max(30_000, 2 * everyMs)

/** cardLine is a card in one line: name, driver, temperature, power, how busy. What is unknown is left out. */
export function cardLine(g: gpu.GPU): string {
  const parts: string[] = []
  if (g.driver) parts.push(`driver ${g.driver}`)
  if (g.busy_percent != null) parts.push(`${g.busy_percent} % busy`)
  if (g.temperature_celsius != null) parts.push(`${g.temperature_celsius} °C`)
  if (g.power_milliwatts != null) parts.push(`${Math.round(g.power_milliwatts / 1000)} W`)
  // A number and its unit stay on one line.
  return [g.name, ...parts.map((p) => p.replaceAll(' ', '\u00a0'))].join(' · ')
}

const remarks = ['wsl2', 'wddm', 'processes', 'integrated', 'idle', 'sampling', 'driver_bug', 'root_only', 'field_unknown', 'columns_guessed', 'none']

/** remark tells whether a condition is only worth saying: a plan lacks nothing. gpu/kind.go holds the same. */
export const remark = (kind: string) => remarks.includes(kind)

/** upper makes a sentence of what begins in lower case, but not of a name such as gpt-oss:20b. */
export function upper(s: string): string {
  return /^\S*[\d:._/-]\S*\s/.test(s + ' ') ? s : s.charAt(0).toUpperCase() + s.slice(1)
}

export type FitMark = { cls: 'ok' | 'unc' | 'rej' | 'dim'; icon: 'ok' | 'warn' | 'no' | 'half'; word: string }

/** fitMark is how a load stands to the free memory, as a shape, a colour and a word. */
export function fitMark(fit: string): FitMark {
  switch (fit) {
    case 'fits':
      return { cls: 'ok', icon: 'ok', word: 'fits' }
    case 'reserve':
      return { cls: 'unc', icon: 'warn', word: 'in reserve' }
    case 'spills':
      return { cls: 'rej', icon: 'no', word: 'spills' }
  }
  return { cls: 'dim', icon: 'half', word: 'unknown' }
}

/** tokens writes a context: 16384 is 16k, 40960 is 40k, 1000 is 1,000. */
export function tokens(n: number): string {
  if (n > 0 && n % 1024 === 0) return `${n / 1024}k`
  return n.toString().replace(/\B(?=(\d{3})+$)/g, ',')
}

/** kvName writes a cache format as people say it. */
export const kvName = (kv: string) => ({ f16: 'f16', q8_0: 'q8', q4_0: 'q4' })[kv] ?? kv
