import { describe, expect, it } from 'vitest'
import { sentence } from './api'
import { bandMark, runMark, stateMark, verdictMark } from './marks'
import { english, word, wordsFor } from './words'

describe('marks', () => {
  it('shows what one source reports as no doubt', () => expect(bandMark('verify', 'reported by one source', english)).toEqual({ cls: 'att', icon: 'ring', word: 'reported by one source' }))
  it('gives each judgement a shape of its own', () => {
    const icons = [bandMark('accept', '', english), bandMark('verify', '', english), bandMark('reject', '', english), bandMark('accept', 'contested', english), bandMark('accept', 'reported by one source', english)].map((m) => m.icon)
    expect(new Set(icons).size).toBe(icons.length)
  })
  it('has a word for each', () => {
    for (const m of [stateMark('covered', english), stateMark('odd_state', english), verdictMark('reject_ai', english), runMark('interrupted'), runMark('')]) expect(m.word).not.toBe('')
  })
})

describe('words', () => {
  it('are Chinese for any zh tag', () => expect([wordsFor('zh').gaps, wordsFor('zh-Hant').gaps, wordsFor('de').gaps]).toEqual(['缺口', '缺口', 'Gaps']))
  it('reads a value it does not know', () => expect([word(english, 'new_kind'), word(english, 'toString')]).toEqual(['new kind', 'toString']))
})

describe('sentence', () => {
  it.each([
    ['folder x: it does not exist', 'Folder x: it does not exist.'],
    [new Error('Done.'), 'Done.'],
    [undefined, 'Something failed without saying why.'],
  ])('%s', (thrown, want) => expect(sentence(thrown)).toBe(want))
})
