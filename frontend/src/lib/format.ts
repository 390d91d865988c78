// Numbers, sizes and dates as the window writes them. Everything here is pure.

/** An exact fraction as the engine sends it: "3/4", "2", or "" for "not computed". */
export type Ratio = string

const fraction = /^(-?\d+)(?:\/(\d+))?$/

/** known tells whether r holds a number. */
export function known(r: Ratio | undefined): boolean {
  const m = r ? fraction.exec(r) : null
  return !!m && (m[2] === undefined || BigInt(m[2]) !== 0n)
}

/** decimal writes r with a fixed number of decimals, rounded half away from zero; a dash when it was not computed. */
export function decimal(r: Ratio | undefined, digits = 2): string {
  const m = r && r.length < 400 ? fraction.exec(r) : null
  if (!m) return '–'
  const den = BigInt(m[2] ?? '1')
  if (den === 0n) return '–'
  let num = BigInt(m[1]!)
  const minus = num < 0n
  if (minus) num = -num
  const scaled = (num * 10n ** BigInt(digits) * 2n + den) / (den * 2n)
  const text = scaled.toString().padStart(digits + 1, '0')
  const whole = text.slice(0, text.length - digits)
  const rest = digits ? '.' + text.slice(text.length - digits) : ''
  return (minus && scaled !== 0n ? '−' : '') + whole + rest
}

/** count writes n with separators: 1,053. */
export function count(n: number): string {
  return Math.trunc(n)
    .toString()
    .replace(/\B(?=(\d{3})+$)/g, ',')
}

/** gib writes bytes as GiB with one decimal. */
export function gib(bytes: number): string {
  return (bytes / 2 ** 30).toFixed(1)
}

/** gib2 writes bytes as GiB with two decimals, as in tables of parts. */
export function gib2(bytes: number): string {
  return (bytes / 2 ** 30).toFixed(2)
}

/** amount writes bytes of memory with their unit: 11.28 GiB, 1.4 MiB. */
export function amount(bytes: number): string {
  return Math.abs(bytes) >= 0.1 * 2 ** 30 ? `${gib2(bytes)} GiB` : `${(bytes / 2 ** 20).toFixed(1)} MiB`
}

/** disk writes bytes in decimal units, as disks and registries are sold: 13.8 GB, 612 MB, 0.5 MB. */
export function disk(bytes: number): string {
  if (bytes >= 1e9) return `${(bytes / 1e9).toFixed(1)} GB`
  if (bytes >= 1e7) return `${Math.round(bytes / 1e6)} MB`
  if (bytes >= 1e5) return `${(bytes / 1e6).toFixed(1)} MB`
  return `${count(Math.ceil(bytes / 1000))} kB`
}

/** left says how long something takes yet: 40 s left, 3 min left, 1 h 5 min left. */
export function left(ms: number): string {
  const s = Math.max(1, Math.round(ms / 1000))
  if (s < 90) return `${s} s left`
  const m = Math.round(s / 60)
  return m < 60 ? `${m} min left` : `${Math.floor(m / 60)} h ${m % 60} min left`
}

/** plural is "1 source", "4 sources". */
export function plural(n: number, one: string, many = one + 's'): string {
  return `${count(n)} ${n === 1 ? one : many}`
}

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/** day writes Unix milliseconds as "28 Nov 2026", in the reader's time zone. */
export function day(ms: number): string {
  const d = new Date(ms)
  return `${d.getDate()} ${months[d.getMonth()]} ${d.getFullYear()}`
}

/** clock writes Unix milliseconds as "14:52", in the reader's time zone. */
export function clock(ms: number): string {
  const d = new Date(ms)
  return `${String(d.getHours()).padStart(2, '0')}:${String(d.getMinutes()).padStart(2, '0')}`
}

/** span writes a length of time as "4:08" or "1:02:09". */
export function span(ms: number): string {
  const s = Math.max(0, Math.round(ms / 1000))
  const two = (n: number) => String(n).padStart(2, '0')
  const h = Math.floor(s / 3600)
  return h ? `${h}:${two(Math.floor(s / 60) % 60)}:${two(s % 60)}` : `${Math.floor(s / 60)}:${two(s % 60)}`
}

const weekdays = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']
const longMonths = 'January February March April May June July August September October November December'.split(' ')

/** reportDate writes a digest's date, 2006-01-02, in its language; what is no date stays as it is. */
export function reportDate(iso: string, lang: string): string {
  const m = /^(\d{4})-(\d{2})-(\d{2})$/.exec(iso)
  if (!m) return iso
  const [y, mo, d] = [Number(m[1]), Number(m[2]), Number(m[3])]
  const date = new Date(Date.UTC(y, mo - 1, d))
  if (date.getUTCMonth() !== mo - 1) return iso
  if (lang.startsWith('zh')) return `${y}年${mo}月${d}日 星期${'日一二三四五六'[date.getUTCDay()]}`
  return `${weekdays[date.getUTCDay()]} ${d} ${longMonths[mo - 1]} ${y}`
}

/** textLang is the lang attribute of a quotation: zh-Hans or en where it is not the page's own language. */
export function textLang(text: string, page: string): string | undefined {
  const part = text.slice(0, 2048)
  const han = part.match(/\p{Script=Han}/gu)?.length ?? 0
  const latin = part.match(/\p{Script=Latin}/gu)?.length ?? 0
  const zh = page.startsWith('zh')
  if (han > 0 && han * 3 > latin && !zh) return 'zh-Hans'
  if (latin > han * 3 && zh) return 'en'
  return undefined
}

/** host is the short name of a location: the host of a web page, the folder of a file. */
export function host(location: string): string {
  const web = /^https?:\/\/([^/?#]+)/.exec(location)
  if (web) return web[1]!
  const cut = location.indexOf('/')
  return cut > 0 ? location.slice(0, cut) : location
}

/** here tells whether a host of the outbox is this computer itself: a model server on loopback, say. */
export function here(name: string): boolean {
  return /^(localhost|127(\.\d{1,3}){3}|\[?::1\]?)(:\d+)?$/i.test(name)
}

/** fileName is the last part of a location. */
export function fileName(location: string): string {
  return location.replace(/[/?#]+$/, '').split('/').pop() || location
}

/** isWeb tells whether a location may be opened in a browser. */
export function isWeb(location: string): boolean {
  return /^https?:\/\/[^/\s@]+(\/|$|\?|#)/i.test(location)
}
