/** A row as JSON has it: names with underscores, big numbers as text, bytes as base64. */
export function plainRow(row: object): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(row).map(([name, value]: [string, unknown]) => [
      name.replace(/[A-Z0-9]+/g, (part) => (/^\d/.test(part) ? part : `_${part.toLowerCase()}`)),
      plainValue(value),
    ]),
  );
}

function plainValue(value: unknown): unknown {
  if (typeof value === 'bigint') return value.toString();
  if (value instanceof Date) return value.toISOString();
  return value instanceof Uint8Array ? Buffer.from(value).toString('base64') : value;
}
