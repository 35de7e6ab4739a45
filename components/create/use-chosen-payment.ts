import { useSearchParams } from 'next/navigation';
import { useEffect, useState } from 'react';
import { chosenSignature } from './read-input';

/**
 * The payment that the page's address names (`/?tx=...`), so that a reload, a bookmark and a wallet app keep it.
 * Choosing a payment where none was chosen adds a step to the history: "Back" then returns to the choice and does
 * not leave the site. Another change replaces the step.
 */
export function useChosenPayment(): {
  tx: string | null;
  choose: (tx: string | null) => void;
} {
  const named = chosenSignature(useSearchParams().get('tx'));
  const [tx, setTx] = useState(named);
  // A link to this page changes the address without an event of the browser.
  const [followed, setFollowed] = useState(named);
  if (named !== followed) {
    setFollowed(named);
    setTx(named);
  }
  useEffect(() => {
    const follow = () => setTx(chosenSignature(new URLSearchParams(location.search).get('tx')));
    window.addEventListener('popstate', follow);
    return () => window.removeEventListener('popstate', follow);
  }, []);
  return {
    tx,
    choose: (next) => {
      if (next === tx) return;
      setTx(next);
      const url = next === null ? '/' : `/?tx=${next}`;
      if (tx === null && next !== null) window.history.pushState(null, '', url);
      else window.history.replaceState(null, '', url);
    },
  };
}
