import { describe, expect, it } from 'vitest'
import { hypothesis, moved, query, replaced, searches, task, without } from './plan'

describe('a plan that waits', () => {
  it('is reordered, within the list', () => {
    expect(moved(['a', 'b', 'c'], 2, -1)).toEqual(['a', 'c', 'b'])
    expect(moved(['a', 'b'], 0, -1)).toEqual(['a', 'b'])
    expect(moved(['a', 'b'], 1, 1)).toEqual(['a', 'b'])
  })
  it('loses and changes entries without touching the old list', () => {
    const old = ['a', 'b', 'c']
    expect(without(old, 1)).toEqual(['a', 'c'])
    expect(replaced(old, 1, 'x')).toEqual(['a', 'x', 'c'])
    expect(old).toEqual(['a', 'b', 'c'])
  })
  it('counts the searches that will be made', () => {
    expect(searches({ round: 0, tasks: [task('one'), { ...task('two'), queries: [query(' '), query('three')] }] })).toBe(2)
  })
  it('takes in a hypothesis that nobody has numbered yet', () => expect(hypothesis('it rains')).toMatchObject({ id: '', statement: 'it rains', status: 'unverified' }))
})
