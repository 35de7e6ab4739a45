import { randomBytes } from 'node:crypto';
import bs58 from 'bs58';
import { Client } from 'pg';
import { z } from 'zod';
import { askForStatement } from '@/devnet/client/ask-for-statement';
import { payOffer, readOffer } from '@/devnet/client/pay-offer';
import { makeWallet, type Wallet } from '@/devnet/client/wallet';
import { SCAN_WIDTH } from '@/server/chain/fetch-transaction';
import { fetchBare, payMany, watchMemory, type Place } from './measure-receipts';
import { line, median, timeAll, type Line } from './stats';

const TRANSFERS = 1_000;
const MOST_ROWS = 5_000;
const ROUNDS = 3;

const counted = z.object({ tx_count: z.number() });
const stated = z.object({ summary: counted });

/**
 * Three measurements. The first is the offer of a statement over 1,000 unread transfers. It is
 * compared with fetching the same transactions with the same parallelism and discarding them, as
 * the median of three alternating rounds. The second is the answer to its payment. The third is a
 * statement with the most rows allowed.
 */
export async function measureStatement(place: Place): Promise<Line[]> {
  const times = { bare: [] as number[], offer: [] as number[] };
  // The first round warms up both. The process remembers payments that it has read, so each round
  // has new ones.
  let last = await makeHistory(place);
  await measureOffer(place, last);
  for (let round = 0; round < ROUNDS; round += 1) {
    last = await makeHistory(place);
    const { bareMs, offerMs } = await measureOffer(place, last);
    times.bare.push(bareMs);
    times.offer.push(offerMs);
  }
  const { payer, signatures, body } = last;
  const [bareMs, offerMs] = [median(times.bare), median(times.offer)];
  // The first image loads the fonts.
  await buy(place, payer, { wallet_address: payer.address, transactions: signatures.slice(0, 1) });
  const eachMs: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) eachMs.push(await buy(place, payer, body));
  const paid = median(eachMs);
  const ratio = offerMs / bareMs;
  const ms = (value: number) => `${value.toFixed(0)} ms`;
  return [
    line(`fetching ${TRANSFERS} transactions, ${SCAN_WIDTH} at once`, ms(bareMs)),
    line(`402 of a statement of ${TRANSFERS} transfers, first time`, ms(offerMs)),
    line('  ratio to the bare fetching', ratio.toFixed(2), 'at most 1.5', ratio <= 1.5),
    line('answer to its payment, without the NFT, median', ms(paid), 'under 1 s', paid < 1_000),
    ...(await measureLargest(place, payer, signatures[0] ?? '')),
  ];
}

/** A wallet with this many payments, and the request for a statement of all of them. */
async function makeHistory(place: Place) {
  const payer = makeWallet();
  console.log(`paying ${TRANSFERS} times`);
  const signatures = await payMany(place, payer, TRANSFERS);
  // Waits until they are final.
  await new Promise((resolve) => setTimeout(resolve, 2_000));
  const hourMs = 3_600_000;
  const body = {
    wallet_address: payer.address,
    period_start: new Date(Date.now() - hourMs).toISOString(),
    period_end: new Date(Date.now() + hourMs).toISOString(),
  };
  return { payer, signatures, body };
}

/** Fetching the transactions of a history and nothing else, then the offer of a statement over them. */
async function measureOffer(
  place: Place,
  { signatures, body }: { signatures: string[]; body: object },
): Promise<{ bareMs: number; offerMs: number }> {
  const bare = await timeAll(signatures, SCAN_WIDTH, (one) => fetchBare(place.rpcUrl, one));
  const offer = await ask(place, body);
  const { tx_count: count } = counted.parse(offer.body);
  if (count < TRANSFERS) throw new Error(`the offer is for ${count} transfers`);
  return { bareMs: bare.totalMs, offerMs: offer.tookMs };
}

/** 5,000 rows made of copies of one recorded payment. */
async function measureLargest(place: Place, payer: Wallet, model: string): Promise<Line[]> {
  const copies = Array.from({ length: MOST_ROWS }, () => bs58.encode(randomBytes(64)));
  await query(
    place,
    `insert into read_transfers (signature, network, reading, slot, block_time, stored_at)
     select copy, network, jsonb_set(reading, '{transfer,signature}', to_jsonb(copy)), slot, block_time, stored_at
       from read_transfers, unnest($1::text[]) as copy where signature = $2`,
    [copies, model],
  );
  const memory = watchMemory(place.pid);
  const tookMs = await buy(place, payer, {
    wallet_address: payer.address,
    transactions: copies,
  });
  const rss = memory.stop();
  return [
    line(`answer to the payment of ${MOST_ROWS} rows, without the NFT`, `${tookMs.toFixed(0)} ms`),
    line('  app process, highest memory', `${rss.toFixed(0)} MB`, 'under 600 MB', rss < 600),
  ];
}

/** Pays for a statement as documented. Returns the time of the answer to the paid request. */
async function buy(place: Place, from: Wallet, body: object): Promise<number> {
  const asked = await ask(place, body);
  if (asked.status !== 402)
    throw new Error(`no offer: ${asked.status} ${JSON.stringify(asked.body).slice(0, 500)}`);
  const offer = readOffer(asked.body);
  const payment = await payOffer(place.rpcUrl, from, offer);
  const answer = await ask(place, body, { 'x-payment': payment, prefer: 'wait=0' });
  if (answer.status !== 202) throw new Error(`POST /statement answers ${answer.status}`);
  await awaitMint(place, answer.body);
  return answer.tookMs;
}

async function ask(place: Place, body: object, headers: Record<string, string> = {}) {
  const begun = performance.now();
  const response = await askForStatement(place.baseUrl, { body, headers });
  const answer: unknown = await response.json();
  return { status: response.status, body: answer, tookMs: performance.now() - begun };
}

/** Memory is measured over the whole record. */
async function awaitMint(place: Place, answer: unknown): Promise<void> {
  const { statement_id } = z.object({ statement_id: z.string() }).parse(answer);
  for (;;) {
    const response = await fetch(`${place.baseUrl}/statement/${statement_id}?wait=20`);
    stated.parse(await response.json());
    if (response.status === 200) return;
  }
}

async function query(place: Place, sql: string, values: unknown[] = []): Promise<void> {
  const client = new Client({ connectionString: place.databaseUrl });
  await client.connect();
  await client.query(sql, values);
  await client.end();
}
