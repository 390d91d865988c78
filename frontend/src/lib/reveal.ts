/** reveal scrolls the boxes around an element so that it stands in their middle. The window itself is left where it is. */
export function reveal(el: HTMLElement): void {
  for (let box = el.parentElement; box && !box.classList.contains('main'); box = box.parentElement) {
    if (box.scrollHeight <= box.clientHeight || getComputedStyle(box).overflowY === 'visible') continue
    const [inner, outer] = [el.getBoundingClientRect(), box.getBoundingClientRect()]
    box.scrollTop += inner.top + Math.min(inner.height, outer.height) / 2 - (outer.top + outer.height / 2)
  }
}
