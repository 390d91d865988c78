// Changes of a plan that waits for its reader. Each gives a new plan; ids of what is new are given by the program.
import type { research } from './api'

export type Plan = research.Plan
export type Hypothesis = research.Hypothesis

/** moved puts the entry at i one place up (-1) or down (1); at the end of the list nothing changes. */
export function moved<T>(list: T[], i: number, by: -1 | 1): T[] {
  const j = i + by
  if (j < 0 || j >= list.length) return list
  const out = [...list]
  ;[out[i], out[j]] = [out[j]!, out[i]!]
  return out
}

export const without = <T>(list: T[], i: number): T[] => list.filter((_, k) => k !== i)
export const replaced = <T>(list: T[], i: number, by: T): T[] => list.map((x, k) => (k === i ? by : x))

/** query is a new search string; the program fills in the rest. */
export const query = (text: string): research.Query => ({ text, lang: '', range: { from: '', to: '' } }) as unknown as research.Query

/** task is a new task with one search string. */
export const task = (text: string): research.Task => ({ id: '', purpose: text, priority: 0, queries: [query(text)] }) as research.Task

/** hypothesis is a new candidate answer, to be confirmed or refuted. */
export const hypothesis = (statement: string): Hypothesis => ({ id: '', statement, rationale: '', would_confirm: '', would_refute: '', facets: [], status: 'unverified' }) as unknown as Hypothesis

/** searches counts the search strings that are not blank. */
export const searches = (plan: Plan): number => plan.tasks.reduce((n, t) => n + t.queries.filter((q) => q.text.trim()).length, 0)
