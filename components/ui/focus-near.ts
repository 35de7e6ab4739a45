const HEADINGS = 'h1, h2, h3';
const CONTROLS = 'button, a[href], input, select, textarea, summary, [tabindex]';

/** An element and its ancestors, innermost first. Taken before the element leaves the page. */
export function pathOf(element: Element | null): HTMLElement[] {
  const path: HTMLElement[] = [];
  for (let at = element; at; at = at.parentElement) if (at instanceof HTMLElement) path.push(at);
  return path;
}

/**
 * Moves the focus near its former place, after the focused element left the page. The target is the
 * part marked `data-focus-home`, a heading or a control of the innermost part that remains.
 */
export function focusNear(path: readonly HTMLElement[]): void {
  const around = path.find((element) => element.isConnected && element.checkVisibility());
  if (!around) return;
  const part = around === document.body ? (document.getElementById('content') ?? around) : around;
  const place =
    part.querySelector<HTMLElement>('[data-focus-home]') ??
    part.querySelector<HTMLElement>(HEADINGS) ??
    part.querySelector<HTMLElement>(CONTROLS) ??
    part;
  place.focus({ preventScroll: true });
  if (document.activeElement === place) return;
  // Only an element with a tab index takes the focus.
  place.tabIndex = -1;
  place.focus({ preventScroll: true });
}
