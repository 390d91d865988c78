// What the terminal changes on the same home causes no event in the window, so what it may change is read again.

/** Calls read when the person comes back to the window, and every everyMs while it is in sight unless that is 0. The result ends it. */
export function again(read: () => void, everyMs = 0): () => void {
  const seen = () => {
    if (document.visibilityState !== 'hidden') read()
  }
  addEventListener('focus', seen)
  const timer = everyMs ? setInterval(seen, everyMs) : undefined
  return () => {
    removeEventListener('focus', seen)
    clearInterval(timer)
  }
}
