import { useQueryClient } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import { useEffect, useEffectEvent, useState } from 'react';
import { api } from '../api';
import { failureOf } from '../api-client';
import { shorten } from '../ui/address';
import { useAnnounce } from '../ui/announcer';

/**
 * The session of the dashboard, and whether it ended without the reader's wish. Data of a wallet are
 * removed as soon as the page shows it no more.
 */
export function useSession() {
  const t = useTranslations('dashboard');
  const announce = useAnnounce();
  const utils = api.useUtils();
  // Another tab may have changed it since this page was last open.
  const session = api.session.read.useQuery(undefined, { refetchOnMount: 'always' });
  const wallet = session.data?.wallet;
  /** The wallet that was shown last, until the reader signs out or in. */
  const [last, setLast] = useState<Last | null>(null);
  if (wallet !== undefined && last?.wallet !== wallet)
    setLast({ wallet, isReplacing: last !== null });
  useEffect(() => {
    if (last?.isReplacing) announce(t.markup('signedIn', { wallet: () => shorten(last.wallet) }));
  }, [last, announce, t]);
  useForget(wallet);
  useRefusal((asked) => {
    // An answer that comes late is about a wallet that the page shows no more.
    const shown = utils.session.read.getData()?.wallet;
    if (shown !== undefined && asked === shown) void utils.session.read.reset();
  });
  return {
    session,
    hasEnded: session.data === null && last !== null,
    /** After the reader signed in on this page. */
    readAgain: () => {
      setLast(null);
      void utils.session.read.invalidate();
    },
    /** After the reader signed out on this page. */
    close: () => {
      utils.session.read.setData(undefined, null);
      setLast(null);
    },
  };
}

/** `isReplacing`: the page showed another wallet before, and another tab signed in with this one. */
type Last = { wallet: string; isReplacing: boolean };

/** Removes the data of a wallet when the page no longer shows it. */
function useForget(wallet: string | undefined): void {
  const client = useQueryClient();
  useEffect(() => {
    if (wallet === undefined) return;
    return () => client.removeQueries({ queryKey: [['dashboard'], { input: { wallet } }] });
  }, [client, wallet]);
}

/**
 * Calls `onRefused` with the wallet of each call whose answer is that this wallet is not signed in.
 */
function useRefusal(onRefused: (wallet: unknown) => void): void {
  const client = useQueryClient();
  const look = useEffectEvent((error: unknown, input: unknown) => {
    if (failureOf(error).code === 'not_signed_in') onRefused(read(input, 'wallet'));
  });
  useEffect(() => {
    const queries = client.getQueryCache().subscribe((event) => {
      if (event.type === 'updated' && event.action.type === 'error')
        look(event.action.error, read(event.query.queryKey[1], 'input'));
    });
    const mutations = client.getMutationCache().subscribe((event) => {
      if (event.type === 'updated' && event.action.type === 'error')
        look(event.action.error, event.mutation.state.variables);
    });
    return () => {
      queries();
      mutations();
    };
  }, [client]);
}

function read(from: unknown, name: string): unknown {
  return typeof from === 'object' && from !== null ? Reflect.get(from, name) : undefined;
}
