import { render } from 'svelte/server'
import { describe, expect, it } from 'vitest'
import { fullDigest } from '$lib/fixture'
import { begin } from '$lib/progress'
import { english, wordsFor } from '$lib/words'
import Verdict from './bakeoff/Verdict.svelte'
import MemoryBar from './gpu/MemoryBar.svelte'
import Timeline from './gpu/Timeline.svelte'
import FitTable from './models/FitTable.svelte'
import JobCard from './models/JobCard.svelte'
import MemoryNotice from './MemoryNotice.svelte'
import Paper from './Paper.svelte'
import SourceList from './SourceList.svelte'
import Stages from './Stages.svelte'
import TracePanel from './TracePanel.svelte'

const nothing = () => {}

describe('Paper', () => {
  const html = render(Paper, { props: { digest: fullDigest(), w: english, chosen: '', oncite: nothing, ontrace: nothing } }).body
  it('has one headline and every part', () => {
    expect(html.match(/<h1/g)).toHaveLength(1)
    for (const part of ['3 of 15', 'Summary', 'Verdict', 'What became of the hypotheses', 'The two dates', 'The debate', 'Where sources disagree', 'Timeline', 'Coverage', 'Gaps', 'Issues', 'Top ten facts', 'Sources', 'Future work', 'No language model was used.']) expect(html).toContain(part)
  })
  it('shows the reading levels, each line with the sources of its findings', () => {
    const d = fullDigest()
    const of = (html: string, text: string) => html.slice(html.indexOf(text)).slice(0, 400)
    for (const text of ['Plan for long cycles.', 'It took three years.']) expect(of(html, text)).toMatch(/^[^<]*(?:<!--.*?-->)*<sup class="cites/)
    expect(html).toContain(d.levels.note)
    expect(of(html, 'The facts, one by one')).toContain('<td>released</td>')
    const old = { ...d, levels: { impact: [], decisions: [], plain: [] } } as unknown as typeof d
    expect(render(Paper, { props: { digest: old, w: english, chosen: '', oncite: nothing, ontrace: nothing } }).body).not.toContain('For other readers')
  })
  it('escapes what sources say', () => {
    expect(html).toContain('Release history &lt;of> Debian')
    const d = fullDigest()
    d.sections[0]!.findings[0]!.text = '<img src=x onerror=alert(1)>'
    d.title = '<script>1</script>'
    const bad = render(Paper, { props: { digest: d, w: english, chosen: '', oncite: nothing, ontrace: nothing } }).body
    expect(bad).not.toMatch(/<script|<img src=x/)
  })
  it('shows no picture from elsewhere', () => expect(html).not.toContain('example.org/x.png'))
  it('speaks Chinese', () => {
    const zh = render(Paper, { props: { digest: { ...fullDigest(), lang: 'zh' }, w: wordsFor('zh'), chosen: '', oncite: nothing, ontrace: nothing } }).body
    expect(zh).toContain('lang="zh-Hans"')
    expect(zh).toContain('缺口')
  })
})

describe('TracePanel', () => {
  it('leads from passage to number', () => {
    const d = fullDigest()
    const html = render(TracePanel, { props: { run: 'r', digest: d, finding: d.sections[0]!.findings[2]!, w: english, onclose: nothing, onstep: nothing, onpassage: nothing } }).body
    for (const part of ['bytes 8,112–8,190', '(1+1)/(2+2) = 0.500', '2002-07-19 → 2005-06-06 = 1,053 d', 'Recompute', '0.167']) expect(html).toContain(part)
  })
})

describe('Run parts', () => {
  it('says the state of each stage', () => {
    const p = begin()
    p.stages[0]!.state = 'done'
    p.stages[1]!.state = 'running'
    const html = render(Stages, { props: { list: p.stages, now: 0, live: true } }).body
    expect(html.match(/data-state="waiting"/g)).toHaveLength(6)
    expect(html).toContain('aria-current="step"')
  })
  it('lists rejected sources with the reason', () => {
    const html = render(SourceList, { props: { sources: [{ id: 's', title: 'T', location: 'docs/t', verdict: 'reject_duplicate', note: 'copy of 2', angle: 'history', adversarial: false, quality: '' }] } }).body
    expect(html).toContain('copy of 2')
    expect(html).toContain('duplicate')
  })
  it('says so when there is none', () => expect(render(SourceList, { props: { sources: [] } }).body).toContain('No source has been opened yet.'))
})

describe('GPU parts', () => {
  const G = 2 ** 30
  it('says the bar in words, and what is unknown as unknown', () => {
    const known = render(MemoryBar, { props: { title: 'Who holds the memory', bar: { segments: [{ cls: 'v-weights', name: 'Model', bytes: 12 * G, detail: '<b>m</b>' }], quiet: ['python3'], used: 12 * G, total: 16 * G } } }).body
    for (const part of ['12.00 of 16.00 GiB in use', 'aria-label="Model (&lt;b>m&lt;/b>) 12.00 GiB, python3 an unknown amount"', 'python3 is on the card too']) expect(known).toContain(part)
    expect(known).not.toContain('<b>m</b>')
    const unknown = render(MemoryBar, { props: { title: 't', bar: { segments: [], quiet: [], used: null, total: null } } }).body
    expect(unknown).toContain('size unknown')
    expect(unknown).not.toContain('0.00')
  })
  it('has a table behind the drawing', () => {
    const html = render(Timeline, { props: { past: [{ at_ms: 60_000, used_bytes: 2 * G, models_bytes: G }, { at_ms: 120_000, models_bytes: 0 }], total: 16 * G, now: 180_000 } }).body
    expect(html.match(/<tr>/g)).toHaveLength(3)
    expect(html).toContain('unknown')
    expect(html).toContain('role="img"')
  })
})

describe('Models parts', () => {
  const model = { name: 'a<i>:1b', digest: '', size: 1e9, family: 'llama', parameters: '', quantization: 'Q4_K_M', context_length: 8192, capabilities: ['completion'], embeds: false, remote: '', modified_ms: 0 }
  const cell = { context: 4096, kv: 'f16', needs_bytes: 2 ** 30, left_bytes: 0, over_bytes: 0, fit: 'reserve', bound: false }
  const fit = { contexts: [4096, 8192], kv: 'f16', card: true, free_bytes: 2 ** 30, reserve_bytes: 2 ** 30, rows: [{ model: 'a<i>:1b', cells: [cell], fault: '' }], planned_model: 'a<i>:1b', planned_context: 4096 }
  it('marks what fits by a shape and by words', () => {
    const html = render(FitTable, { props: { rows: [model], fit, chosen: '', onmenu: nothing } }).body
    for (const part of ['1.0 GiB at 4k: fits, but inside the 1.0 GiB reserve; planned', 'hs2 pick', 'Longer than this model allows', 'a&lt;i>:1b']) expect(html).toContain(part)
  })
  it('lists the models when what fits is not known', () => expect(render(FitTable, { props: { rows: [model], fit: undefined, chosen: '', onmenu: nothing } }).body).toContain('1.0 GB'))
  it('says how far a pull is, and why it failed', () => {
    const job = { name: 'm', phase: 'fetching', done: 5e9, total: 10e9, per_second: 1e6, left_ms: 60_000, tries: 0, kind: 'pull', over: false, asked: 'm', host: '' }
    const props = { warn: 'Will not fit wholly.', onpause: nothing, onresume: nothing, oncancel: nothing, onforget: nothing }
    const html = render(JobCard, { props: { job, ...props } }).body
    for (const part of ['aria-valuenow="50"', '5.0 GB of 10.0 GB', 'Will not fit wholly.', 'Pause']) expect(html).toContain(part)
    const failed = render(JobCard, { props: { job: { ...job, phase: 'failed', over: true, error: 'no space left on <disk>' }, ...props } }).body
    for (const part of ['no space left on &lt;disk>', 'role="alert"', 'Try again']) expect(failed).toContain(part)
  })
})

describe('MemoryNotice', () => {
  it('says what is wrong, what is safe, and what can be chosen', () => {
    const html = render(MemoryNotice, { props: { notice: { kind: 'room_taken', text: 'm:1b lacks 2 GiB', do: 'Close a program.', choices: ['unload', 'shrink', 'wait'], choice: '', since_ms: 0, until_ms: 0 }, busy: false, onchoose: nothing } }).body
    for (const part of ['m:1b lacks 2 GiB.', 'What was found is on disk.', 'Unload other models', 'Go on with a smaller window', 'Wait']) expect(html).toContain(part)
  })
})

describe('Verdict', () => {
  it('keeps a verdict that gave way, struck through, with a way to the one that stands', () => {
    const candidate = { model: 'ollama:m', digest: '', quantization: '', parameters: '' }
    const verdict = { candidate, baseline: { ...candidate, model: 'extractive' }, role: '', outcome: 'discard', backend: 'ollama', version: '0.17.4', reasons: [{ rule: 4, text: '2 of 2 runs failed.' }], labels: [], unchecked: [], trials: [], passed: 0, failed: 2 }
    const line = { entry: { id: 'v1234567890ab', at: '2026-12-01T10:00:00Z', bakeoff: 'b', prev: '', verdict }, hash: '', standing: false, superseded_by: 's', retest: 'v2', reason: 'the server was older', elsewhere: '', removed_at: '' }
    const html = render(Verdict, { props: { shown: { line, verdict }, onjump: nothing } }).body
    for (const part of ['superseded', 'Superseded: the server was older', 'The verdict that stands: v2', 'Rule 4:', 'discarded']) expect(html).toContain(part)
    expect(html).not.toContain('data-removed')
  })

  it('says that the data on which a verdict rests were removed', () => {
    const candidate = { model: 'ollama:m', digest: '', quantization: '', parameters: '' }
    const verdict = { candidate, baseline: { ...candidate, model: 'extractive' }, role: '', outcome: 'keep', backend: 'ollama', version: '0.17.4', reasons: [], labels: [], unchecked: [], trials: [], passed: 1, failed: 0 }
    const line = { entry: { id: 'v1234567890ab', at: '2026-12-01T10:00:00Z', bakeoff: 'b', prev: '', verdict }, hash: '', standing: true, superseded_by: '', retest: '', reason: '', elsewhere: '', removed_at: '2026-12-02T10:00:00Z' }
    const html = render(Verdict, { props: { shown: { line, verdict }, onjump: nothing } }).body
    for (const part of ['kept', 'data-removed', 'were removed on 2 Dec 2026']) expect(html).toContain(part)
  })
})
