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
  // The sign before a word is taken along, since not every engine can look behind.
  const latin = words.filter((w) => !han.test(w)).map((w) => escape(w.length > 4 ? w.slice(0, -1) : w) + '[\\p{L}\\p{N}]*')
  const chinese = words.filter((w) => han.test(w)).map(escape)
  const parts = [...chinese.map((w) => `()(${w})`), ...(latin.length ? [`(^|[^\\p{L}\\p{N}])(${latin.join('|')})`] : [])]
  const out: Piece[] = []
  const push = (t: string, hit: boolean) => t && out.push({ text: t, hit })
  let at = 0
  for (const m of text.matchAll(new RegExp(parts.join('|'), 'giu'))) {
    const groups = m.slice(1)
    const hit = groups.find((g, i) => i % 2 === 1 && g) ?? ''
    if (!hit) continue
    const from = m.index + m[0].length - hit.length
    push(text.slice(at, from), false)
    push(hit, true)
    at = from + hit.length
  }
  push(text.slice(at), false)
  return out
}
