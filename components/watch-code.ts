/** The part of every page that says that code is missing. */
export const LOST_CODE = 'lost-code';

/** How long a script that did not load may take to arrive late, in ms. */
const PATIENCE_MS = 3_000;

/**
 * Runs before all other scripts of a page. If a script fails before the loader of Next.js runs, the
 * loader waits for it for ever. React cannot report this, so the page looks complete but does not
 * respond. Removing the script's tag makes the loader ask for it again. If the page has still not
 * started by then, a notice says so.
 */
export const WATCH_CODE = `addEventListener('error', function (event) {
  if (!(event.target instanceof HTMLScriptElement)) return;
  event.target.remove();
  setTimeout(function () {
    var lost = document.getElementById('${LOST_CODE}');
    if (lost) lost.hidden = false;
  }, ${PATIENCE_MS});
}, true);`;
