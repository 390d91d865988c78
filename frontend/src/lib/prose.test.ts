import { describe, expect, it } from 'vitest'
import { inline, prose } from './prose'

describe('prose', () => {
  it('reads paragraphs and lists', () => {
    expect(prose('a\nb\n\n- c\n- d\n\n1. e', 0)).toEqual([
      { kind: 'p', parts: [{ kind: 'text', text: 'a b' }] },
      { kind: 'ul', items: [[{ kind: 'text', text: 'c' }], [{ kind: 'text', text: 'd' }]] },
      { kind: 'ol', items: [[{ kind: 'text', text: 'e' }]] },
    ])
  })
  it('makes a heading of the text a strong line', () => expect(prose('# A', 0)).toEqual([{ kind: 'p', parts: [{ kind: 'strong', text: 'A' }] }]))
  it('is empty for an empty text', () => expect(prose(' \n\n ', 0)).toEqual([]))
})

describe('inline', () => {
  it('reads marks and citations', () => {
    expect(inline('**x** *y* `z` word [2] end', 2)).toEqual([
      { kind: 'strong', text: 'x' }, { kind: 'text', text: ' ' }, { kind: 'em', text: 'y' }, { kind: 'text', text: ' ' },
      { kind: 'code', text: 'z' }, { kind: 'text', text: ' word' }, { kind: 'cite', n: 2 }, { kind: 'text', text: ' end' },
    ])
  })
  it.each(['2 * 3 ** 4 `', '[3]', '[0]', '[x](javascript:y)', '<img src=x onerror=y>'])('leaves %s as text', (t) => expect(inline(t, 2)).toEqual([{ kind: 'text', text: t }]))
  it('loses no letter of a text without marks', () => {
    for (const t of ['', 'a', '***', '[[1]', '**a*b']) {
      const back = inline(t, 0).map((p) => (p.kind === 'cite' ? `[${p.n}]` : p.kind === 'text' ? p.text : p.kind === 'strong' ? `**${p.text}**` : p.kind === 'em' ? `*${p.text}*` : `\`${p.text}\``)).join('')
      expect(back).toBe(t)
    }
  })
})
