import { z } from 'zod';

const times = z.number().int().min(0).max(1_000_000);

const switches = z.strictObject({
  /** Drop the next n uploads before they are stored. */
  dropBeforeStore: times.default(0),
  /** Store the next n uploads, then drop the connection without an answer. */
  dropAfterStore: times.default(0),
  /** Answer the next uploads with this, and store nothing. */
  status: z
    .strictObject({
      code: z.number().int().min(200).max(599),
      body: z.string().default(''),
      times: times.default(1),
    })
    .nullable()
    .default(null),
  /** Wait before every answer. */
  delayMs: z.number().int().min(0).max(600_000).default(0),
  /** Drop every connection. */
  down: z.boolean().default(false),
  /** Small items cost as well. */
  requireFunds: z.boolean().default(false),
  /** The gateway does not know any item for the next n reads. */
  hideGateway: times.default(0),
  /** The gateway gives the file of an item with other words in it, under its old signature. */
  forge: z
    .strictObject({ id: z.string(), from: z.string().min(1), to: z.string() })
    .nullable()
    .default(null),
});

export type FaultSwitches = z.infer<typeof switches>;

const CALM = switches.parse({});

/** Faults that tests ask for, and how often each item was posted since the start. */
export type Faults = {
  current(): FaultSwitches;
  /** Sets the given switches and keeps the others. Throws a ZodError for unknown ones. */
  set(body: unknown): void;
  clear(): void;
  countUpload(id: string): void;
  uploads(): Record<string, number>;
  /** Uses up one of the counted faults. False when none is left. */
  take(name: 'dropBeforeStore' | 'dropAfterStore' | 'hideGateway'): boolean;
  takeStatus(): { code: number; body: string } | null;
};

export function createFaults(): Faults {
  let now: FaultSwitches = { ...CALM };
  const uploads = new Map<string, number>();
  return {
    current: () => now,
    set: (body) => {
      const given = z.record(z.string(), z.unknown()).parse(body);
      now = switches.parse({ ...now, ...given });
    },
    clear: () => {
      now = { ...CALM };
    },
    countUpload: (id) => uploads.set(id, (uploads.get(id) ?? 0) + 1),
    uploads: () => Object.fromEntries(uploads),
    take: (name) => {
      if (now[name] === 0) return false;
      now = { ...now, [name]: now[name] - 1 };
      return true;
    },
    takeStatus: () => {
      const { status } = now;
      if (!status || status.times === 0) return null;
      now = { ...now, status: { ...status, times: status.times - 1 } };
      return status;
    },
  };
}
