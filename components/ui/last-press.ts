/** The part that the reader asked to load again, until the next key or pointer press. */
let asked: string | null = null;

const forget = () => {
  asked = null;
};

/**
 * Remembers that the reader asked for a part again, because its banner leaves the page during the
 * load.
 */
export function askAgain(part: string): void {
  asked = part;
  for (const press of ['keydown', 'pointerdown'])
    document.addEventListener(press, forget, { once: true, capture: true });
}

/** Whether the reader asked for this part and pressed nothing since. True once for each press. */
export function answersPress(part: string): boolean {
  const isAnswer = asked === part;
  if (isAnswer) forget();
  return isAnswer;
}
