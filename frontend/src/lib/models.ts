// Words and marks of models, pulls and what fits. Everything here is pure.
import type { app } from './wailsjs/go/models'
import { disk, gib, left } from './format'
import { tokens } from './gpu'

/** A cell of the table of contexts: how full it makes the memory, as a class, and the same in words. */
export type Heat = { cls: string; icon: 'warn' | 'no' | 'half' | ''; text: string; title: string }

/** heat is the look of a cell. free is what a model may take, with nothing else loaded; null when that is unknown. */
export function heat(cell: app.FitCell | undefined, free: number | null, reserve: number, card = true): Heat {
  if (!cell) return { cls: 'hn2', icon: '', text: '–', title: 'Longer than this model allows' }
  const text = cell.needs_bytes < 0.05 * 2 ** 30 ? '<0.1' : gib(cell.needs_bytes)
  const at = `${cell.bound ? 'at most ' : ''}${text} GiB at ${tokens(cell.context)}`
  switch (cell.fit) {
    case 'spills':
      return { cls: 'hr2', icon: 'no', text, title: `${at}: ${card ? 'spills to system memory' : 'does not fit'}, ${gib(cell.over_bytes)} GiB too much` }
    case 'reserve':
      return { cls: 'hs2', icon: 'warn', text, title: `${at}: fits, but inside the ${gib(reserve)} GiB reserve` }
    case 'fits': {
      const full = free ? cell.needs_bytes / free : 0
      return { cls: full > 0.75 ? 'h3' : full > 0.5 ? 'h2' : 'h1', icon: '', text, title: `${at}: fits` }
    }
  }
  return { cls: 'hu2', icon: 'half', text, title: `${at}; whether it fits is unknown` }
}

/** quant is the quantisation of a model's weights, "" when the server does not know it. */
export const quant = (m: app.ModelRow) => (m.quantization === 'unknown' ? '' : m.quantization)

/** abilities are what a model can do, as people say it. That it writes goes without saying. */
export function abilities(m: app.ModelRow): string[] {
  const words = m.capabilities.filter((c) => c !== 'completion' && c !== 'insert')
  return words.length ? words : m.embeds ? ['embedding'] : []
}

/** lookMark is how a load stands to its prediction. What the server only estimates is neither good nor bad. */
export function lookMark(l: app.LoadLook): { cls: 'ok' | 'unc' | 'dim'; icon: 'ok' | 'warn' | 'ring' } {
  if (!l.close) return { cls: 'unc', icon: 'warn' }
  return l.checked ? { cls: 'ok', icon: 'ok' } : { cls: 'dim', icon: 'ring' }
}

export type JobWords = { line: string; state: string; bad: boolean; part: number | null }

/** jobWords says how far a pull, or the making of a model, is. */
export function jobWords(j: app.ModelJob): JobWords {
  const part = j.total > 0 ? Math.min(1, j.done / j.total) : null
  const bytes = j.total > 0 ? `${disk(j.done)} of ${disk(j.total)}` : ''
  const speed = j.per_second != null && j.phase === 'fetching' ? `${disk(j.per_second)}/s` : ''
  const eta = j.left_ms != null && j.phase === 'fetching' ? left(j.left_ms) : ''
  const tries = j.tries && !j.over ? `tried again ${j.tries === 1 ? 'once' : `${j.tries} times`}` : ''
  const say = (...parts: string[]) => parts.filter(Boolean).join(' · ')
  switch (j.phase) {
    case 'asking':
      return { line: 'Asking what it is made of', state: 'asking', bad: false, part }
    case 'fetching':
      return { line: say(bytes, speed, eta, tries), state: 'pulling', bad: false, part }
    case 'checking':
      return { line: say(j.kind === 'create' ? 'Reading the file and making its checksum' : 'Checking what came', bytes), state: 'checking', bad: false, part }
    case 'uploading':
      return { line: say('Giving it to the server', bytes), state: 'giving', bad: false, part }
    case 'making':
      return { line: 'The server makes the model', state: 'making', bad: false, part }
    case 'waiting':
      return { line: say('The transfer broke off; it is tried again', bytes, tries), state: 'waiting', bad: false, part }
    case 'paused':
      return { line: say('Paused', bytes), state: 'paused', bad: false, part }
    case 'stopped':
      return { line: say(j.kind === 'create' ? 'Stopped. Nothing was made' : 'Cancelled. What came stays with the server until it is started again', bytes), state: 'cancelled', bad: false, part }
    case 'done':
      return { line: j.total > 0 ? `There, ${disk(j.total)}` : 'There', state: 'done', bad: false, part: 1 }
    case 'failed':
      return { line: j.error || 'It failed without saying why', state: 'failed', bad: true, part }
  }
  return { line: j.phase, state: j.phase, bad: false, part }
}

/** hostOf is the host that a model's name is fetched from when it is not Ollama's registry, else "". */
export function hostOf(name: string): string {
  const plain = name.trim().replace(/^https?:\/\//, '')
  const parts = plain.split('/')
  if (/^http:\/\//.test(name.trim()) && parts.length < 3) return parts[0] ?? ''
  if (parts.length < 3) return ''
  return parts[0] === 'registry.ollama.ai' ? '' : (parts[0] ?? '')
}

/** stays says how long a loaded model stays yet. */
export function stays(r: { expires_ms: number }, now: number): string {
  if (!r.expires_ms) return 'stays until it is unloaded'
  const m = Math.ceil((r.expires_ms - now) / 60_000)
  return m <= 0 ? 'is let go soon' : `stays ${m} min after its last use`
}

/** where says where a loaded model is, and whether that is where it belongs: on a machine without a card, system memory is. */
export function where(r: { size: number; size_vram: number }, card = true): { word: string; whole: boolean } {
  if (r.size_vram <= 0) return { word: 'in system memory', whole: !card }
  if (r.size_vram < r.size) return { word: `${Math.floor((100 * r.size_vram) / r.size)} % on the GPU`, whole: false }
  return { word: 'on the GPU', whole: true }
}

/** partNames are the parts of an estimate as they are shown. */
export const partNames: Record<string, string> = {
  weights: 'Weights on the GPU',
  input: 'Input layer',
  adapter: 'Adapter',
  kv: 'KV cache',
  kv_windowed: 'KV cache, sliding window',
  recurrent: 'Recurrent state',
  compute: 'Compute',
  compute_host: 'Compute in system memory',
  projector: 'Image part',
  image: 'Compute for images',
  overhead: 'Driver, for the program',
  calibration: 'Correction from an earlier load',
}

/** filter keeps the models whose name, family or quantisation holds the words. */
export function filter(list: app.ModelRow[], words: string): app.ModelRow[] {
  const w = words.trim().toLowerCase()
  return w ? list.filter((m) => `${m.name} ${m.family} ${m.quantization}`.toLowerCase().includes(w)) : list
}
