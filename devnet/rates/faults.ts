import { z } from 'zod';

const switches = z.strictObject({
  /** Drop every connection. */
  down: z.boolean().default(false),
  /** Wait before every answer. */
  delayMs: z.number().int().min(0).max(600_000).default(0),
  /** Answer the next requests with this status. */
  status: z
    .strictObject({
      code: z.number().int().min(200).max(599),
      body: z.string().default(''),
      times: z.number().int().min(0).max(1_000_000).default(1),
    })
    .nullable()
    .default(null),
  /** Days without a publication. */
  holes: z.array(z.iso.date()).default([]),
  /** The first and the last day with a publication. */
  firstDay: z.iso.date().nullable().default(null),
  lastDay: z.iso.date().nullable().default(null),
});

type FaultSwitches = z.infer<typeof switches>;

/** Faults that tests ask for, and the number of answered requests since the start. */
export type Faults = {
  current(): FaultSwitches;
  /** Sets the given switches and keeps the others. Throws a ZodError for unknown ones. */
  set(body: unknown): void;
  clear(): void;
  takeStatus(): { code: number; body: string } | null;
  /** Whether there is a publication on a day. Never in the future. */
  isPublished(day: string): boolean;
};

export function createFaults(now: () => Date): Faults {
  let state = switches.parse({});
  return {
    current: () => state,
    set: (body) => {
      state = switches.parse({ ...state, ...z.record(z.string(), z.unknown()).parse(body) });
    },
    clear: () => {
      state = switches.parse({});
    },
    takeStatus: () => {
      const { status } = state;
      if (!status || status.times === 0) return null;
      state = { ...state, status: { ...status, times: status.times - 1 } };
      return status;
    },
    isPublished: (day) => {
      const { holes, firstDay, lastDay } = state;
      if (day > now().toISOString().slice(0, 10) || holes.includes(day)) return false;
      return (firstDay === null || day >= firstDay) && (lastDay === null || day <= lastDay);
    },
  };
}
