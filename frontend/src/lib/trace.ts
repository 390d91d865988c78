// The confidence trace of a finding as rows a reader can redo: passages, claims, derivations, finding.
import type { research } from './wailsjs/go/models'
import { decimal } from './format'

export type Vote = { passage: string; source: string; stance: string; reason: string; voice: string; text: string; start: number; end: number; page: number; heading: string }
export type ClaimRow = { label: string; id: string; text: string; k: number; n: number; raw: string; formula: string; band: string; mark: string; votes: Vote[] }
export type DerivedRow = { label: string; id: string; text: string; rule: string; from: string; how: string; r: string; confidence: string; product: string; lower: string; band: string; mark: string }
export type Arithmetic = { claims: ClaimRow[]; derived: DerivedRow[]; calibration: string }

type D = Pick<research.Digest, 'traces' | 'claims' | 'passages'>
type F = Pick<research.DigestFinding, 'id' | 'trace' | 'claims'>

/** arithmetic reads a finding's trace, from the digest's traces or, where there is none, from the claims it names. */
export function arithmetic(d: D, f: F): Arithmetic {
  const t = d.traces[f.trace] ?? d.traces[f.id]
  const nodes = t?.nodes?.length ? t.nodes : fromClaims(d, f.claims)
  const out: Arithmetic = { claims: [], derived: [], calibration: t?.calibration ?? '' }
  const label = new Map<string, string>()
  const inTrace = new Map(nodes.filter((n) => n.kind === 'passage').map((n) => [n.id, n]))
  for (const n of nodes) {
    const claim = d.claims[n.id]
    if (n.kind === 'claim') {
      const name = `C${out.claims.length + 1}`
      label.set(n.id, name)
      const [k, of] = [n.k ?? 0, n.n ?? 0]
      out.claims.push({
        label: name, id: n.id, text: n.text || claim?.text || '', k, n: of, raw: decimal(n.raw, 3),
        formula: out.calibration ? decimal(n.confidence, 3) : `(${k}+1)/(${of}+2) = ${decimal(n.confidence, 3)}`,
        band: n.band ?? '', mark: n.label ?? '',
        votes: (n.votes ?? []).map((v) => {
          const p = d.passages[v.passage]
          const q = inTrace.get(v.passage)
          return { passage: v.passage, source: v.source, stance: v.stance, reason: v.reason, voice: v.cluster, text: p?.text ?? q?.text ?? '', start: p?.start ?? q?.start ?? 0, end: p?.end ?? q?.end ?? 0, page: p?.page ?? 0, heading: p?.heading ?? '' }
        }),
      })
    } else if (n.kind === 'derived') {
      const name = `D${out.derived.length + 1}`
      label.set(n.id, name)
      out.derived.push({
        label: name, id: n.id, text: n.text || claim?.text || '', rule: n.rule ?? '', from: (n.basis ?? []).map((b) => label.get(b) ?? b).join(', '), how: claim?.derivation?.reasoning ?? '',
        r: decimal(n.r, 2), confidence: decimal(n.confidence, 3), product: decimal(n.product, 3), lower: decimal(n.lower, 3), band: n.band ?? '', mark: n.label ?? '',
      })
    }
  }
  return out
}

function fromClaims(d: D, ids: string[]): research.TraceNode[] {
  const out: research.TraceNode[] = []
  const seen = new Set<string>()
  const add = (id: string, depth: number) => {
    const c = d.claims[id]
    if (!c || seen.has(id) || depth > 8) return
    seen.add(id)
    if (c.derivation) {
      for (const b of c.derivation.basis) add(b, depth + 1)
      out.push({ id, kind: 'derived', text: c.text, rule: c.derivation.rule, basis: c.derivation.basis, r: c.derivation.r, product: c.derivation.product, lower: c.derivation.lower, confidence: c.derivation.confidence, band: c.support?.band, label: c.support?.label })
    } else if (c.support) {
      out.push({ id, kind: 'claim', text: c.text, votes: c.evidence ?? [], k: c.support.k, n: c.support.n, raw: c.support.raw, confidence: c.support.confidence, band: c.support.band, label: c.support.label })
    }
  }
  for (const id of ids) add(id, 0)
  return out
}

/** voices is "4 of 5" for a finding that rests on one claim, empty otherwise. */
export function voices(a: Arithmetic): [number, number] | undefined {
  const only = a.claims.length === 1 && !a.derived.length ? a.claims[0] : undefined
  return only ? [only.k, only.n] : undefined
}

export type Use = { stance: string; claim: string; reason: string }

/** usesOf lists the claims for which a passage is evidence. */
export function usesOf(d: Pick<research.Digest, 'claims'>, passage: string): Use[] {
  const out: Use[] = []
  for (const id of Object.keys(d.claims).sort()) {
    for (const e of d.claims[id]!.evidence ?? []) if (e.passage === passage) out.push({ stance: e.stance, claim: d.claims[id]!.text, reason: e.reason })
  }
  return out
}

export type Citation = { n: number; passage: string }

/** citations are the [n] of a finding, each with the first cited passage of its source. */
export function citations(d: Pick<research.Digest, 'sources' | 'passages'>, f: Pick<research.DigestFinding, 'refs' | 'citations'>): Citation[] {
  return f.refs
    .filter((r) => r >= 0 && r < d.sources.length)
    .map((r) => ({ n: r + 1, passage: f.citations.find((id) => d.passages[id]?.source === d.sources[r]!.id) ?? firstOf(d, r) }))
}

/** citationsOf are the [n] of several findings, each source once. */
export function citationsOf(d: Pick<research.Digest, 'sources' | 'passages'>, fs: Pick<research.DigestFinding, 'refs' | 'citations'>[]): Citation[] {
  const out = new Map<number, Citation>()
  for (const f of fs) for (const c of citations(d, f)) if (!out.has(c.n)) out.set(c.n, c)
  return [...out.values()]
}

/** firstOf is the first passage of source number r (0-based) that the digest holds; empty when there is none. */
export function firstOf(d: Pick<research.Digest, 'sources' | 'passages'>, r: number): string {
  const id = d.sources[r]?.id
  const of = Object.values(d.passages).filter((p) => p.source === id)
  of.sort((a, b) => a.start - b.start)
  return of[0]?.id ?? ''
}
