import { expect, it } from 'vitest'
import { href, parse, type Route } from './route'

it.each<Route>([
  { view: 'ask' }, { view: 'runs' }, { view: 'library' }, { view: 'run', id: 'a b/c' }, { view: 'report', id: 'r1' },
  { view: 'report', id: 'r1', finding: 'f/1' }, { view: 'report', id: 'r1', source: 3 },
  { view: 'gpu' }, { view: 'models' }, { view: 'models', model: '127.0.0.1:5000/library/a:b' }, { view: 'bakeoff' }, { view: 'bakeoff', bakeoff: '20261201-100000-abcdef' },
])('%o comes back from its address', (r) => expect(parse(href(r))).toEqual(r))

it.each(['', '#/', '#/nowhere', '#/run', '#/run/%', '#/report/%E0%A4%A'])('%s is Ask', (hash) => expect(parse(hash)).toEqual({ view: 'ask' }))
