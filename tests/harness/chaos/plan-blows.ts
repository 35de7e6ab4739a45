import type { Random } from './random';

/** `history`: the nodes lose past transactions, and their slots go on past every expiry. */
export const VICTIMS = [
  ...(['app', 'second app', 'runner', 'database', 'chain', 'storage'] as const),
  'history',
] as const;
export type Victim = (typeof VICTIMS)[number];

/** Parts that are killed together, how long after the kill before, and how long they stay down. */
export type Blow = { pauseMs: number; victims: Victim[]; downMs: number };

/**
 * Kills without end, in rounds. Each round has every part once, in a new order. One kill in three
 * includes the next part.
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
