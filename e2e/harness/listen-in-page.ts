/** The new text of a live region, and whether a screen reader can have passed it on. */
export type Said = { text: string; region: string; isHeard: boolean };

/**
 * Runs in the page: reports each new text of a live region. A region is heard if it was in the page
 * before its text and no dialog covers it. `__axRegion` names a region.
 */
export function listenInPage(): void {
  const outside = window as unknown as {
    __axSaid(said: Said): void;
    __axRegion(region: Element): string;
  };
  const REGIONS = '[role=status], [role=alert], [aria-live=polite], [aria-live=assertive]';
  const known = new Map<Element, { region: string; text: string }>();
  const textOf = (region: Element) =>
    (region instanceof HTMLElement ? region.innerText : '').replace(/\s+/g, ' ').trim();
  const isCovered = (region: Element) => {
    const dialog = document.querySelector('dialog:modal');
    return dialog !== null && !dialog.contains(region);
  };
  const look = (changes: readonly MutationRecord[]) => {
    for (const element of document.querySelectorAll(REGIONS)) {
      const text = textOf(element);
      const before = known.get(element);
      // Another document has another start of time.
      const region = before?.region ?? `${performance.timeOrigin} ${known.size}`;
      known.set(element, { region, text });
      const isNew = changes.some(
        ({ target, addedNodes }) => addedNodes.length > 0 && element.contains(target),
      );
      if (!isSettled || text === '' || (before?.text === text && !isNew)) continue;
      outside.__axSaid({ text, region, isHeard: before !== undefined && !isCovered(element) });
    }
  };
  outside.__axRegion = (region) => known.get(region)?.region ?? '';
  // The first content of a page is read with the rest of it.
  let isSettled = false;
  look([]);
  isSettled = document.readyState !== 'loading';
  document.addEventListener('DOMContentLoaded', () => (isSettled = true));
  new MutationObserver(look).observe(document, {
    childList: true,
    characterData: true,
    subtree: true,
  });
}
