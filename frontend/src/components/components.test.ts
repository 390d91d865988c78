import { render } from 'svelte/server'
import { describe, expect, it } from 'vitest'
import { fullDigest } from '$lib/fixture'
import { begin } from '$lib/progress'
import { english, wordsFor } from '$lib/words'
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
