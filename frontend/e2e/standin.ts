// A stand-in for a model server with large models on a card, for what no machine without one can show: it answers the questions
// about models in the shapes of Ollama 0.17.4, and runs none. What a real server says is tested with the real one.
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

export type Loaded = { name: string; size: number; context: number }

type Tensor = { name: string; type: string; shape: number[] }
type Shape = { arch: string; layers: number; embedding: number; forward: number; heads: number; kv: number; key: number; vocab: number; context: number; window?: number; experts?: number; used?: number; tied?: boolean }
type Model = { name: string; quant: string; params: string; capabilities: string[]; shape: Shape; size: number; remote?: string }

const dense = (s: Shape, type: string): Tensor[] => {
  const out: Tensor[] = [{ name: 'token_embd.weight', type, shape: [s.embedding, s.vocab] }]
  if (!s.tied) out.push({ name: 'output.weight', type: type === 'Q4_K' ? 'Q6_K' : type, shape: [s.embedding, s.vocab] })
  for (let i = 0; i < s.layers; i++) {
    const t = (name: string, kind: string, ...shape: number[]) => out.push({ name: `blk.${i}.${name}.weight`, type: kind, shape })
    t('attn_q', type, s.embedding, s.heads * s.key)
    t('attn_k', type, s.embedding, s.kv * s.key)
    t('attn_v', type, s.embedding, s.kv * s.key)
    t('attn_output', type, s.heads * s.key, s.embedding)
    if (s.experts) {
      for (const part of ['gate', 'up', 'down']) t(`ffn_${part}_exps`, 'MXFP4', s.embedding, s.forward, s.experts)
    } else {
      for (const part of ['gate', 'up', 'down']) t(`ffn_${part}`, type, s.embedding, s.forward)
    }
  }
  return out
}

const G = 1e9
/** The models of the stand-in, with the published shapes of those that they stand for. */
export const models: Model[] = [
  { name: 'gpt-oss:20b', quant: 'MXFP4', params: '20.9B', capabilities: ['completion', 'tools', 'thinking'], size: 13.8 * G, shape: { arch: 'gptoss', layers: 24, embedding: 2880, forward: 2880, heads: 64, kv: 8, key: 64, vocab: 201088, context: 131072, window: 128, experts: 32, used: 4 } },
  { name: 'qwen3:14b', quant: 'Q4_K_M', params: '14.8B', capabilities: ['completion', 'tools', 'thinking'], size: 9.3 * G, shape: { arch: 'qwen3', layers: 40, embedding: 5120, forward: 17408, heads: 40, kv: 8, key: 128, vocab: 151936, context: 40960 } },
  { name: 'llama3.1:8b', quant: 'Q4_K_M', params: '8.0B', capabilities: ['completion', 'tools'], size: 4.9 * G, shape: { arch: 'llama', layers: 32, embedding: 4096, forward: 14336, heads: 32, kv: 8, key: 128, vocab: 128256, context: 131072 } },
  { name: 'mistral-small3.2:24b', quant: 'Q4_K_M', params: '24.0B', capabilities: ['completion', 'vision', 'tools'], size: 15.2 * G, shape: { arch: 'mistral3', layers: 40, embedding: 5120, forward: 32768, heads: 32, kv: 8, key: 128, vocab: 131072, context: 131072 } },
  { name: 'gpt-oss:120b-cloud', quant: 'MXFP4', params: '117B', capabilities: ['completion'], size: 384, remote: 'https://ollama.com:443', shape: { arch: 'gptoss', layers: 36, embedding: 2880, forward: 2880, heads: 64, kv: 8, key: 64, vocab: 201088, context: 131072 } },
]

const digest = (name: string) => Buffer.from(name).toString('hex').padEnd(64, '0').slice(0, 64)

function info(s: Shape): Record<string, unknown> {
  const out: Record<string, unknown> = { 'general.architecture': s.arch }
  const put = (key: string, value: unknown) => (out[`${s.arch}.${key}`] = value)
  put('block_count', s.layers)
  put('context_length', s.context)
  put('embedding_length', s.embedding)
  put('feed_forward_length', s.forward)
  put('attention.head_count', s.heads)
  put('attention.head_count_kv', s.kv)
  put('attention.key_length', s.key)
  put('attention.value_length', s.key)
  put('vocab_size', s.vocab)
  if (s.window) put('attention.sliding_window', s.window)
  if (s.experts) {
    put('expert_count', s.experts)
    put('expert_used_count', s.used)
    put('expert_feed_forward_length', s.forward)
  }
  return out
}

/** A line of /api/ps. */
export const ps = (name: string, size: number, vram: number, context: number) => ({ name, model: name, size, size_vram: vram, digest: digest(name), details: {}, context_length: context })

/** Starts a stand-in that says these models are loaded, whole on the card. */
export async function standIn(loaded: Loaded[]): Promise<{ url: string; loaded: Loaded[]; stop: () => void }> {
  const details = (m: Model) => ({ format: 'gguf', family: m.shape.arch, families: [m.shape.arch], parameter_size: m.params, quantization_level: m.quant })
  const now = { loaded }
  const server: Server = createServer((request, answer) => {
    let body = ''
    request.on('data', (chunk) => (body += chunk))
    request.on('end', () => {
      const say = (value: unknown, status = 200) => {
        answer.writeHead(status, { 'content-type': 'application/json' })
        answer.end(JSON.stringify(value))
      }
      switch (request.url) {
        case '/':
          return answer.end('Ollama is running')
        case '/api/version':
          return say({ version: '0.17.4' })
        case '/api/tags':
          return say({ models: models.map((m) => ({ name: m.name, model: m.name, modified_at: '2026-11-28T10:00:00Z', size: m.size, digest: digest(m.name), details: details(m), ...(m.remote ? { remote_host: m.remote, remote_model: m.name.replace('-cloud', '') } : {}) })) })
        case '/api/ps':
          return say({ models: now.loaded.map((l) => ({ ...ps(l.name, l.size, l.size, l.context), expires_at: new Date(Date.now() + 240_000).toISOString() })) })
        case '/api/show': {
          const m = models.find((x) => x.name === JSON.parse(body).model)
          if (!m) return say({ error: 'model not found' }, 404)
          return say({ modelfile: '', template: '{{ .System }}{{ .Prompt }}', details: details(m), model_info: info(m.shape), capabilities: m.capabilities, ...(m.remote ? { remote_host: m.remote, remote_model: m.name.replace('-cloud', '') } : { tensors: dense(m.shape, m.quant === 'MXFP4' ? 'BF16' : 'Q4_K') }) })
        }
      }
      say({ error: 'the stand-in runs no model' }, 500)
    })
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, get loaded() { return now.loaded }, set loaded(l) { now.loaded = l }, stop: () => (server.closeAllConnections(), server.close()) }
}
