// Where the person is, kept in the address so that back and forward work.

export type Route =
  | { view: 'ask' }
  | { view: 'runs' }
  | { view: 'queue' }
  | { view: 'library' }
  | { view: 'models'; model?: string }
  | { view: 'gpu' }
  | { view: 'bakeoff'; bakeoff?: string }
  | { view: 'run'; id: string }
  | { view: 'report'; id: string; finding?: string; source?: number }

/** parse reads an address; an unknown one is Ask. */
export function parse(hash: string): Route {
  const [view, id, what, which] = hash.replace(/^#?\/?/, '').split('/').map(safeDecode)
  if (view === 'runs' || view === 'queue' || view === 'library' || view === 'gpu') return { view }
  if (view === 'models') return id ? { view, model: id } : { view }
  if (view === 'bakeoff') return id ? { view, bakeoff: id } : { view }
  if (view === 'run' && id) return { view, id }
  if (view === 'report' && id) {
    if (what === 'finding' && which) return { view, id, finding: which }
    if (what === 'source' && /^\d+$/.test(which ?? '')) return { view, id, source: Number(which) }
    return { view, id }
  }
  return { view: 'ask' }
}

/** href is the address of a place. */
export function href(r: Route): string {
  switch (r.view) {
    case 'models':
      return r.model ? `#/models/${encodeURIComponent(r.model)}` : '#/models'
    case 'bakeoff':
      return r.bakeoff ? `#/bakeoff/${encodeURIComponent(r.bakeoff)}` : '#/bakeoff'
    case 'run':
      return `#/run/${encodeURIComponent(r.id)}`
    case 'report': {
      const base = `#/report/${encodeURIComponent(r.id)}`
      if (r.finding) return `${base}/finding/${encodeURIComponent(r.finding)}`
      return r.source ? `${base}/source/${r.source}` : base
    }
  }
  return `#/${r.view}`
}

function safeDecode(s: string): string {
  try {
    return decodeURIComponent(s)
  } catch {
    return ''
  }
}
