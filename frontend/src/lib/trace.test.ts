import { describe, expect, it } from 'vitest'
import { fullDigest } from './fixture'
import { arithmetic, citations, citationsOf, firstOf, usesOf, voices } from './trace'

const d = fullDigest()
const finding = (id: string) => d.sections[0]!.findings.find((f) => f.id === id)!

describe('arithmetic', () => {
  it('reads a trace', () => {
    const a = arithmetic(d, finding('fc'))
    expect(a.claims.map((c) => [c.label, c.k, c.n, c.formula])).toEqual([['C1', 1, 2, '(1+1)/(2+2) = 0.500'], ['C2', 1, 1, '(1+1)/(1+2) = 0.667']])
    expect(a.derived[0]).toMatchObject({ label: 'D1', from: 'C1, C2', r: '1.00', confidence: '0.500', product: '0.333', lower: '0.167' })
    expect(a.claims[0]!.votes.map((v) => [v.stance, v.start, v.end])).toEqual([['confirm', 8112, 8190], ['contradict', 0, 31]])
    expect(voices(a)).toBeUndefined()
  })
  it('is made from the claims where there is no trace', () => {
    const a = arithmetic(d, finding('fb'))
    expect(a.claims).toHaveLength(1)
    expect(voices(a)).toEqual([1, 1])
    expect(arithmetic({ ...d, traces: {} }, finding('fc')).derived[0]!.from).toBe('C1, C2')
  })
  it('says nothing of a claim that is not there', () => expect(arithmetic(d, { id: 'x', trace: 'x', claims: ['none'] })).toEqual({ claims: [], derived: [], calibration: '' }))
})

describe('citations', () => {
  it('carry the passage of their source', () => expect(citations(d, finding('fc'))).toEqual([{ n: 1, passage: 'pa' }, { n: 2, passage: 'pb' }]))
  it('of several findings name each source once', () => expect(citationsOf(d, [finding('fc'), finding('fa')])).toEqual([{ n: 1, passage: 'pa' }, { n: 2, passage: 'pb' }]))
  it('leave out sources that do not exist', () => expect(citations(d, { refs: [-1, 0, 99], citations: [] })).toEqual([{ n: 1, passage: 'pa' }]))
  it('know who uses a passage', () => expect(usesOf(d, 'pc')).toEqual([{ stance: 'contradict', claim: 'Woody was released on 19 July 2002.', reason: 'date differs by one day' }]))
  it('find the first passage of a source', () => expect([firstOf(d, 2), firstOf(d, 7)]).toEqual(['pc', '']))
})
