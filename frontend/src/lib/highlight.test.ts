import { describe, expect, it } from 'vitest'
import { highlight, wanted } from './highlight'

const hits = (text: string, query: string) => highlight(text, query).filter((p) => p.hit).map((p) => p.text)

describe('highlight', () => {
  it('reads words and phrases', () => expect(wanted('"release team" freeze Freeze 冻结')).toEqual(['release team', 'freeze', '冻结']))
  it('marks words with their endings, at the start of a word', () => expect(hits('The freeze, freezes and unfreeze; freezing', 'freeze')).toEqual(['freeze', 'freezes', 'freezing']))
  it('marks neighbours', () => expect(hits('freeze date', 'freeze date')).toEqual(['freeze', 'date']))
  it('marks Chinese inside a run', () => expect(hits('提前公布冻结日期之后', '冻结日期')).toEqual(['冻结日期']))
  it('takes signs of a pattern as they are', () => expect(hits('a.b (c', '"a.b (c"')).toEqual(['a.b (c']))
  it('keeps the whole text', () => {
    for (const [t, q] of [['The freeze date.', 'freeze date'], ['', 'x'], ['abc', ''], ['xx', 'x']] as const) expect(highlight(t, q).map((p) => p.text).join('')).toBe(t)
  })
})
