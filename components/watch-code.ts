/** The part of every page that says that code is missing. */
export const LOST_CODE = 'lost-code';

/** How long a script that did not load may take to come after all, in ms. */
const PATIENCE_MS = 3_000;

/**
 * Runs before all other scripts of a page. The loader of Next.js waits for ever for a script that failed before the
 * loader was there, and nothing of React can say so: the page looks whole and answers to nothing. Without its tag the
 * loader asks for the script again. Where the page has not come to life by then, it says what is wrong.
 */
export const WATCH_CODE = `addEventListener('error', function (event) {
  if (!(event.target instanceof HTMLScriptElement)) return;
  event.target.remove();
  setTimeout(function () {
    var lost = document.getElementById('${LOST_CODE}');
    if (lost) lost.hidden = false;
  }, ${PATIENCE_MS});
}, true);`;
