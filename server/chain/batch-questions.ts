/**
 * Joins questions that are asked within `waitMs` of each other into one, of at most `most` items.
 * `ask` answers in the order of its items; when it throws, everyone who asked gets the error.
 */
export function batchQuestions<Item, Answer>(
  ask: (items: readonly Item[]) => Promise<readonly Answer[]>,
  o: { most: number; waitMs: number },
): (items: readonly Item[]) => Promise<Answer[]> {
  type Waiting = {
    items: readonly Item[];
    resolve: (answers: Answer[]) => void;
    reject: (error: unknown) => void;
  };
  let waiting: Waiting[] = [];
  let size = 0;
  let timer: NodeJS.Timeout | undefined;

  async function send(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    const asked = waiting;
    waiting = [];
    size = 0;
    try {
      const answers = await ask(asked.flatMap(({ items }) => items));
      let from = 0;
      for (const { items, resolve } of asked) {
        resolve(answers.slice(from, from + items.length));
        from += items.length;
      }
    } catch (error) {
      for (const { reject } of asked) reject(error);
    }
  }

  return (items) =>
    new Promise((resolve, reject) => {
      if (size + items.length > o.most) void send();
      waiting.push({ items, resolve, reject });
      size += items.length;
      timer ??= setTimeout(() => void send(), o.waitMs);
    });
}
