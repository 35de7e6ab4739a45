import { useSearchParams } from 'next/navigation';
import { useEffect, useRef, useState } from 'react';
import type { LabelTexts } from './labels-form';
import { chosenSignature, readInput } from './read-input';

/** Marks the steps of the history that this page added. "Back" from them stays on the site. */
const OWN_STEP = 'quittanceStep';

/** The pause in typing before the address is updated, in ms. Browsers limit updates per second. */
const SETTLED_MS = 250;

export const NO_LABELS: LabelTexts = { service_type: '', transaction_type: '', invoice_id: '' };

/** The labels by their names in the address. */
const LABELS = [
  ['for', 'service_type'],
  ['kind', 'transaction_type'],
  ['invoice', 'invoice_id'],
] as const;

type Chosen = {
  /** The signature of the payment. */
  tx: string | null;
  /** The labels in the address. Empty for a payment that was picked from a list. */
  labels: LabelTexts;
  /** The text of the field before a payment is chosen. */
  typed: string;
};

/**
 * The payment that the page's address names with its labels (`/?tx=...&for=...`), or the wallet or
 * name to pick one from (`/?of=...`). A reload, a bookmark and a wallet app keep it. The first
 * choice of a payment adds a step to the history: "Back" then returns to the choice and does not
 * leave the site. Another change replaces the step.
 */
export function useChosenPayment() {
  const params = useSearchParams();
  const [chosen, setChosen] = useState(() => readAddress(params));
  // A link to this page changes the address without an event of the browser.
  const named = chosenSignature(params.get('tx'));
  const [followed, setFollowed] = useState(named);
  if (named !== followed) {
    setFollowed(named);
    if (named !== chosen.tx) setChosen(next(chosen, readAddress(params)));
  }
  useEffect(() => {
    const follow = () =>
      setChosen((before) => next(before, readAddress(new URLSearchParams(location.search))));
    window.addEventListener('popstate', follow);
    return () => window.removeEventListener('popstate', follow);
  }, []);
  const saving = useRef<ReturnType<typeof setTimeout>>(undefined);
  const { tx, typed } = chosen;
  const choose = (to: string | null, field = typed) => {
    clearTimeout(saving.current);
    setChosen({ tx: to, typed: field, labels: to === tx ? chosen.labels : NO_LABELS });
    if (to !== null && to === tx) return;
    const url = addressOf({ tx: to, typed: field, labels: NO_LABELS });
    if (tx === null && to !== null) window.history.pushState({ [OWN_STEP]: true }, '', url);
    else replaceAddress(url);
  };
  return {
    ...chosen,
    choose,
    /** Handles a change of the field. */
    type: (text: string) => {
      const read = readInput(text, []);
      if (read.kind === 'signature') choose(read.value);
      else choose(null, text);
    },
    /** Keeps the labels of the chosen payment in the address. */
    keepLabels: (labels: LabelTexts) => {
      clearTimeout(saving.current);
      if (tx === null) return;
      const url = addressOf({ tx, typed: '', labels });
      saving.current = setTimeout(() => {
        // The reader may have left the payment by a link or "Back" meanwhile.
        if (readAddress(new URLSearchParams(location.search)).tx === tx) replaceAddress(url);
      }, SETTLED_MS);
    },
    /** Adds the choice to the history before this page, if a link or a wallet app opened the payment. */
    putChoiceBehind: () => {
      if (isOwnStep()) return;
      const here = location.href;
      window.history.replaceState(null, '', '/');
      window.history.pushState({ [OWN_STEP]: true }, '', here);
    },
  };
}

/** The choice after a change of the address. The field keeps its text if the address names none. */
function next(before: Chosen, read: Chosen): Chosen {
  return { ...read, typed: read.typed === '' ? before.typed : read.typed };
}

function readAddress(params: URLSearchParams): Chosen {
  const given = params.get('tx') ?? '';
  const tx = chosenSignature(given);
  const labels = { ...NO_LABELS };
  for (const [name, label] of LABELS) labels[label] = params.get(name) ?? '';
  return { tx, labels, typed: params.get('of') ?? (tx === null ? given : '') };
}

function addressOf({ tx, typed, labels }: Chosen): string {
  const params = new URLSearchParams();
  if (tx !== null) {
    params.set('tx', tx);
    for (const [name, label] of LABELS) if (labels[label] !== '') params.set(name, labels[label]);
  } else {
    const read = readInput(typed, []);
    if (read.kind === 'wallet' || read.kind === 'name') params.set('of', read.value);
  }
  return params.size === 0 ? '/' : `/?${params.toString()}`;
}

function isOwnStep(): boolean {
  const state: unknown = window.history.state;
  return typeof state === 'object' && state !== null && Reflect.get(state, OWN_STEP) === true;
}

function replaceAddress(url: string): void {
  if (url === `${location.pathname}${location.search}`) return;
  window.history.replaceState(isOwnStep() ? { [OWN_STEP]: true } : null, '', url);
}
