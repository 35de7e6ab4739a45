import { useCallback, useState } from 'react';
import type { RowCursorBody as Cursor } from '@/server/use-cases/dashboard/schemas';
import type { PeriodName } from './period';
import type { Role } from './role';
import type { RegistrationTexts } from './send-registration';

export type Filter = {
  period: PeriodName;
  /** Mint, `SOL`, or empty for all. */
  token: string;
  /** The country whose currency values are shown in. Null until one is chosen. */
  country: string | null;
  search: string;
  status: '' | 'pending' | 'failed';
};

/** A name in the search, and its wallet. Empty when the name has no certain wallet. */
export type Named = { name: string; wallet: string };

/** A page of the list that a filter, as one text, gave. */
export type Place = {
  asked: string;
  /** The ends of all earlier pages. Going back drops the last one. */
  ends: readonly Cursor[];
};

/** The choices and entries of a reader, kept while the parts that show them leave the page. */
export type View = {
  tab: string;
  filter: Filter;
  /** The text in the search, before and after it is searched. */
  typed: string;
  named: Named | null;
  places: Readonly<Record<Role, Place>>;
  /** Entries of the registration that are not saved. Null without changes. */
  draft: RegistrationTexts | null;
};

export type ChangeView = (change: (before: View) => Partial<View>) => void;

const START: Place = { asked: '', ends: [] };
const FIRST: View = {
  tab: 'seller',
  filter: { period: 'year-back', token: '', country: null, search: '', status: '' },
  typed: '',
  named: null,
  places: { seller: START, payer: START },
  draft: null,
};

/** The view of one wallet. It survives the end of a session, but no other wallet gets it. */
export function useView(wallet: string | undefined): { view: View; change: ChangeView } {
  const [kept, setKept] = useState({ wallet, view: FIRST });
  // No wallet is shown while a session has ended. Its view waits for the same wallet.
  if (wallet !== undefined && kept.wallet !== wallet) setKept({ wallet, view: FIRST });
  const change = useCallback<ChangeView>(
    (changed) =>
      setKept((before) => ({ ...before, view: { ...before.view, ...changed(before.view) } })),
    [],
  );
  return { view: kept.view, change };
}
