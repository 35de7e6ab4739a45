import type { Random } from './random';

/** `history`: the nodes lose what they know of past transactions, and their slots go on past the life of any. */
export const VICTIMS = [
  ...(['app', 'second app', 'runner', 'database', 'chain', 'storage'] as const),
  'history',
] as const;
export type Victim = (typeof VICTIMS)[number];

/** Parts that are killed together, how long after the one before, and for how long they stay away. */
export type Blow = { pauseMs: number; victims: Victim[]; downMs: number };

/**
 * Kills without end, in rounds: each round has every part once, in an order of its own. One blow in three
 * takes the next part along.
 */
export function* planBlows(random: Random): Generator<Blow, never> {
  for (;;) {
    const round = random.shuffle(VICTIMS);
    while (round.length > 0) {
      const victims = round.splice(0, random.below(3) === 0 ? 2 : 1);
      yield { pauseMs: 500 + random.below(2_500), victims, downMs: random.below(1_500) };
    }
  }
}

/** The first round alone. */
export function planOneRound(random: Random): Blow[] {
  const round: Blow[] = [];
  for (const blow of planBlows(random)) {
    round.push(blow);
    if (round.flatMap(({ victims }) => victims).length === VICTIMS.length) return round;
  }
  return round;
}
