/**
 * A function that makes each result once and keeps it, because creating a formatter is slow. The
 * same texts give the same result.
 */
export function kept<Texts extends string[], Made extends object>(
  make: (...texts: Texts) => Made,
): (...texts: Texts) => Made {
  const known = new Map<string, Made>();
  return (...texts) => {
    const key = texts.join(' ');
    const before = known.get(key);
    if (before) return before;
    const made = make(...texts);
    known.set(key, made);
    return made;
  };
}
