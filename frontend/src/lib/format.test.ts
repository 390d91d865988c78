import { describe, expect, it } from 'vitest'
import { amount, count, decimal, disk, fileName, gib, gib2, here, host, isWeb, known, left, plural, reportDate, span, textLang } from './format'

describe('decimal', () => {
  it.each([
    ['2/3', 2, '0.67'],
    ['1/2', 0, '1'],
    ['1', 3, '1.000'],
    ['1053', 2, '1053.00'],
    ['5/7', 3, '0.714'],
    ['1/8', 2, '0.13'],
    ['-1/8', 2, '−0.13'],
    ['-1/1000', 2, '0.00'],
    ['', 2, '–'],
    ['1/0', 2, '–'],
    ['0.5', 2, '–'],
    ['9'.repeat(500), 2, '–'],
    [undefined, 2, '–'],
  ])('%s with %d digits is %s', (r, digits, want) => expect(decimal(r, digits)).toBe(want))
  it('knows what is a number', () => expect([known('1/2'), known(''), known('x'), known('1/0')]).toEqual([true, false, false, false]))
})

describe('numbers and dates', () => {
  it('separates thousands', () => expect([count(7), count(999), count(1053), count(7121813)]).toEqual(['7', '999', '1,053', '7,121,813']))
  it('writes GiB', () => expect(gib(12.75 * 2 ** 30)).toBe('12.8'))
  it('writes memory with its unit', () => expect([gib2(0.5 * 2 ** 30), amount(11.28 * 2 ** 30), amount(1.4 * 2 ** 20)]).toEqual(['0.50', '11.28 GiB', '1.4 MiB']))
  it('writes the disk in decimal units', () => expect([disk(13.8e9), disk(612e6), disk(9.4e6), disk(500_000), disk(384)]).toEqual(['13.8 GB', '612 MB', '9.4 MB', '0.5 MB', '1 kB']))
  it('writes what is left', () => expect([left(100), left(45_000), left(180_000), left(3_900_000)]).toEqual(['1 s left', '45 s left', '3 min left', '1 h 5 min left']))
  it('writes lengths of time', () => expect([span(4000), span(248_000), span(3_729_000), span(-1)]).toEqual(['0:04', '4:08', '1:02:09', '0:00']))
  it('writes plurals', () => expect([plural(1, 'source'), plural(2, 'source'), plural(0, 'match', 'matches')]).toEqual(['1 source', '2 sources', '0 matches']))
  it('writes the date of a report', () => {
    expect(reportDate('2026-11-28', 'en')).toBe('Saturday 28 November 2026')
    expect(reportDate('2026-11-28', 'zh')).toBe('2026年11月28日 星期六')
    expect(reportDate('2026-02-31', 'en')).toBe('2026-02-31')
    expect(reportDate('soon', 'en')).toBe('soon')
  })
})

describe('locations', () => {
  it('names where something stands', () => expect([host('https://a.example/b?c'), host('docs/a/b.html'), host('x')]).toEqual(['a.example', 'docs', 'x']))
  it('names a file', () => expect([fileName('docs/a/b.html'), fileName('https://a.example/')]).toEqual(['b.html', 'a.example']))
  it('knows this computer', () => expect([here('127.0.0.1:11434'), here('localhost'), here('[::1]:80'), here('127.0.0.1.example'), here('a.example')]).toEqual([true, true, true, false, false]))
  it('opens web pages only', () => {
    for (const bad of ['javascript:alert(1)', 'file:///etc/passwd', 'docs/x.html', 'https://u:p@a.example/', '//a.example', 'data:text/html,x']) expect(isWeb(bad)).toBe(false)
    expect(isWeb('https://a.example/x')).toBe(true)
  })
  it('marks the language of a quotation', () => expect([textLang('woody 发布于七月二十日', 'en'), textLang('released', 'en'), textLang('released', 'zh')]).toEqual(['zh-Hans', undefined, 'en']))
})
