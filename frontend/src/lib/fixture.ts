// The renderer's fixture, for tests: the digest in which every field is in use.
import { readFileSync } from 'node:fs'
import type { research } from './wailsjs/go/models'

export function fullDigest(): research.Digest {
  return JSON.parse(readFileSync(new URL('../../../engine/render/testdata/full.digest.json', import.meta.url), 'utf8')) as research.Digest
}
