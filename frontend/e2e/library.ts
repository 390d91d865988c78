// A library that takes a run some seconds, for tests that step in while it works: many long documents on one subject.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const places = ['Paris', 'Vienna', 'Boston', 'Kyoto', 'Lima', 'Oslo', 'Cairo', 'Perth']
const makers = ['Lenoir', 'Fortin', 'Gambey', 'Brunner', 'Johnson', 'Matthey', 'Repsold', 'Bamberg']
const things = ['bar', 'copy of the metre', 'scale', 'comparator', 'gauge', 'rule', 'standard', 'prototype']
const words = ['platinum', 'iridium', 'brass', 'steel', 'bronze', 'silver', 'nickel', 'glass']

/** Writes the documents into dir, the same at each call. */
export function writeLibrary(dir: string, files = 60, paragraphs = 300) {
  let seed = 20191103
  const pick = <T>(list: T[]): T => {
    seed = (seed * 1103515245 + 12345) & 0x7fffffff
    return list[(seed >> 8) % list.length]
  }
  for (let f = 0; f < files; f++) {
    const folder = join(dir, `house-${f % 8}`)
    mkdirSync(folder, { recursive: true })
    const lines = [`# The standards of house ${f}`, '', `By the keeper of house ${f}, ${1 + (f % 28)} May ${1980 + (f % 40)}`, '']
    for (let p = 0; p < paragraphs; p++) {
      const year = 1790 + ((f * 7 + p * 3) % 200)
      lines.push(
        `In ${year} ${pick(makers)} of ${pick(places)} made a ${pick(things)} of ${pick(words)} and ${pick(words)} for the ` +
          `International Prototype Metre. The ${pick(things)} weighed ${100 + ((f * 31 + p * 17) % 900)} grams and differed from the ` +
          `metre by ${1 + ((f + p) % 90)} micrometres. ${pick(makers)} compared it with the standard kept in ${pick(places)}.`,
        '',
      )
    }
    writeFileSync(join(folder, `standards-${f}.md`), lines.join('\n'))
  }
}
