// The words of a search marked in a passage.

export type Piece = { text: string; hit: boolean }

/** wanted are the words of a query: quoted phrases whole, the rest one by one, Chinese runs as they stand. */
export function wanted(query: string): string[] {
  const out: string[] = []
  for (const m of query.matchAll(/["“”]([^"“”]+)["“”]|([\p{L}\p{N}]+)/gu)) {
    const w = (m[1] ?? m[2] ?? '').trim().toLowerCase()
    if (w && !out.includes(w)) out.push(w)
  }
  return out.slice(0, 32)
}

/** highlight cuts text where words of the query stand. A Latin word is found at the start of a word, with its ending. */
export function highlight(text: string, query: string): Piece[] {
  const words = wanted(query).sort((a, b) => b.length - a.length)
  if (!words.length) return text ? [{ text, hit: false }] : []
  const escape = (w: string) => w.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace(/\s+/g, '\\s+')
  const han = /\p{Script=Han}/u
  const pattern = words.map((w) => (han.test(w) ? escape(w) : `(?<![\\p{L}\\p{N}])${escape(w.length > 4 ? w.slice(0, -1) : w)}[\\p{L}\\p{N}]*`)).join('|')
  const out: Piece[] = []
  let at = 0
  for (const m of text.matchAll(new RegExp(pattern, 'giu'))) {
    if (!m[0]) continue
    if (m.index > at) out.push({ text: text.slice(at, m.index), hit: false })
    out.push({ text: m[0], hit: true })
    at = m.index + m[0].length
  }
  if (at < text.length) out.push({ text: text.slice(at), hit: false })
  return out
}
