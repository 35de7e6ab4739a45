import { useSearchParams } from 'next/navigation';
import { chosenSignature } from './read-input';

/**
 * The payment that the page's address names (`/?tx=...`), so that a reload, a bookmark and a wallet app keep it.
 * Choosing one where none was chosen adds a step to the history: "Back" then returns to the choice and does not
 * leave the site. Another change replaces the step.
 */
export function useChosenPayment(): {
  tx: string | null;
  choose: (tx: string | null) => void;
} {
  const tx = chosenSignature(useSearchParams().get('tx'));
  return {
    tx,
    choose: (next) => {
      if (next === tx) return;
      const url = next === null ? '/' : `/?tx=${next}`;
      if (tx === null && next !== null) window.history.pushState(null, '', url);
      else window.history.replaceState(null, '', url);
    },
  };
}
