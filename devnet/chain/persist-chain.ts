import { readFileSync, renameSync, statSync, writeFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { Chain } from './chain';
import { loadChange, saveChange, type Change, type SavedChange } from './change';
import type { Acct, TxRecord } from './emulator';
import { openJournal, type Journal } from './journal';
import { loadTransaction, parseLine, saveTransaction } from './journal-line';
import type { ClockState } from './slot-clock';

/**
 * From this size on, a start rewrites the journal without the steps that led to the present state.
 */
const COMPACT_FROM_BYTES = 32 * 1024 * 1024;

const clockState = z.object({
  genesisHash: z.string(),
  anchorSlot: z.number(),
  anchorMs: z.number(),
  slotMs: z.number(),
  shiftMs: z.number(),
}) satisfies z.ZodType<ClockState>;

/** The saved clock of a folder, or undefined when the folder is new. */
export function loadClock(folder: string): ClockState | undefined {
  let text: string;
  try {
    text = readFileSync(join(folder, 'clock.json'), 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
  return clockState.parse(JSON.parse(text));
}

export function saveClock(folder: string, state: ClockState): void {
  mkdirSync(folder, { recursive: true });
  const file = join(folder, 'clock.json');
  writeFileSync(`${file}.part`, JSON.stringify(state));
  renameSync(`${file}.part`, file);
}

/**
 * Loads the chain's state from its folder, and from then on records all its changes there. An
 * appended change survives a killed process. {@link Journal.flush} makes it survive a power cut
 * too.
 */
export function persistChain(
  chain: Chain,
  folder: string,
  o: { compactFromBytes?: number } = {},
): Journal {
  const file = join(folder, 'journal.jsonl');
  const journal = openJournal(file);
  const states = new Map<string, Acct | null>();
  const happened = new Map<string, { record: TxRecord; changes: Change[] | null }>();
  const apply = (saved: SavedChange[]): Change[] =>
    saved.map((change) => {
      const address = change.a;
      const before = states.get(address) ?? chain.accounts.read(address);
      const after = loadChange(change, before);
      states.set(address, after);
      return { address, before, after };
    });

  for (const text of journal.lines()) {
    const line = parseLine(text);
    if (line.k === 'vanish') for (const signature of line.gone) happened.delete(signature);
    const changes = apply(line.changes);
    if (line.k === 'tx') {
      const record = loadTransaction(line.tx);
      happened.set(record.signature, { record, changes });
    }
    if (line.k === 'vanish')
      for (const record of line.rerun.map(loadTransaction))
        happened.set(record.signature, { record, changes: null });
  }
  for (const [address, account] of states) chain.accounts.write(address, account);
  for (const { record, changes } of happened.values()) chain.add(record, changes);

  if (statSync(file).size >= (o.compactFromBytes ?? COMPACT_FROM_BYTES))
    journal.rewrite(presentState(chain));
  chain.sink = {
    changed: (changes) => journal.append({ k: 'set', changes: changes.map(saveChange) }),
    transacted: (record, changes) =>
      journal.append({ k: 'tx', tx: saveTransaction(record), changes: changes.map(saveChange) }),
    vanished: ({ gone, rerun, changes }) =>
      journal.append({
        k: 'vanish',
        gone,
        rerun: rerun.map(saveTransaction),
        changes: changes.map(saveChange),
      }),
  };
  return journal;
}

function* presentState(chain: Chain): Generator<object> {
  for (const [address, after] of chain.accounts.all())
    yield { k: 'set', changes: [saveChange({ address, before: null, after })] };
  for (const record of chain.bySlotOrder)
    yield { k: 'tx', tx: saveTransaction(record), changes: [] };
}
