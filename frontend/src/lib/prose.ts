// A digest's prose as a small tree. The page renders the tree with elements of its own, so no HTML of a source can come
// through. The same few marks as the exported page knows: paragraphs, lists, quotations, strong, emphasis, code and [n].

export type Inline = { kind: 'text' | 'strong' | 'em' | 'code'; text: string } | { kind: 'cite'; n: number }
export type Block = { kind: 'p' | 'quote'; parts: Inline[] } | { kind: 'ul'; items: Inline[][] } | { kind: 'ol'; items: Inline[][] }

const bullet = /^[-*] +/
const numbered = /^\d{1,3}\. +/

/** prose reads text; sources is how many there are, so that [n] beyond it stays text. */
export function prose(text: string, sources: number): Block[] {
  const out: Block[] = []
  for (const raw of text.replaceAll('\r\n', '\n').split(/\n{2,}/)) {
    const lines = raw.split('\n').map((l) => l.trim()).filter((l) => l !== '')
    if (!lines.length) continue
    if (lines.every((l) => bullet.test(l))) out.push({ kind: 'ul', items: lines.map((l) => inline(l.replace(bullet, ''), sources)) })
    else if (lines.every((l) => numbered.test(l))) out.push({ kind: 'ol', items: lines.map((l) => inline(l.replace(numbered, ''), sources)) })
    else if (lines.every((l) => l.startsWith('>'))) out.push({ kind: 'quote', parts: inline(lines.map((l) => l.slice(1).trim()).join(' '), sources) })
    else out.push({ kind: 'p', parts: inline(lines.map((l) => l.replace(/^#+ +(.*)$/, '**$1**')).join(' '), sources) })
  }
  return out
}

/** inline reads one line. A mark without its partner stays as the character it is. */
export function inline(line: string, sources: number): Inline[] {
  const out: Inline[] = []
  const text = (t: string) => {
    const last = out.at(-1)
    if (last?.kind === 'text') last.text += t
    else if (t) out.push({ kind: 'text', text: t })
  }
  const mark = /\*\*([^* ]|[^* ][^*]*[^* ])\*\*|\*([^* ]|[^* ][^*]*[^* ])\*|`([^`]+)`|\[(\d{1,4})\]/g
  let at = 0
  for (const m of line.matchAll(mark)) {
    const n = Number(m[4])
    if (m[4] !== undefined && (n < 1 || n > sources)) continue
    text(line.slice(at, m.index))
    at = m.index + m[0].length
    if (m[1] !== undefined) out.push({ kind: 'strong', text: m[1] })
    else if (m[2] !== undefined) out.push({ kind: 'em', text: m[2] })
    else if (m[3] !== undefined) out.push({ kind: 'code', text: m[3] })
    else {
      const last = out.at(-1)
      if (last?.kind === 'text') last.text = last.text.trimEnd() // the key stands close to its word
      out.push({ kind: 'cite', n })
    }
  }
  text(line.slice(at))
  return out
}
