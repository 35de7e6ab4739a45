type PairTable = { covers: Map<number, number>; value(left: number, right: number): number | null };

/**
 * Reads pair kerning (feature `kern` of the GPOS table, pair adjustment formats 1 and 2) and gives a
 * function from two glyph ids to font units. Only the first glyph's advance is looked at, which is all
 * that left-to-right kerning uses.
 */
export function readKerning(gpos: DataView): (left: number, right: number) => number {
  const lookups = kernLookups(gpos).map((at) => readPairTables(gpos, at));
  return (left, right) => {
    let sum = 0;
    for (const tables of lookups) {
      for (const table of tables) {
        if (!table.covers.has(left)) continue;
        const value = table.value(left, right);
        if (value === null) continue;
        sum += value;
        break;
      }
    }
    return sum;
  };
}

function kernLookups(gpos: DataView): number[] {
  const features = gpos.getUint16(6);
  const list = gpos.getUint16(8);
  const indexes = new Set<number>();
  for (let i = 0; i < gpos.getUint16(features); i++) {
    const record = features + 2 + 6 * i;
    if (gpos.getUint32(record) !== 0x6b65726e) continue;
    const feature = features + gpos.getUint16(record + 4);
    for (let j = 0; j < gpos.getUint16(feature + 2); j++)
      indexes.add(gpos.getUint16(feature + 4 + 2 * j));
  }
  return [...indexes].sort((a, b) => a - b).map((i) => list + gpos.getUint16(list + 2 + 2 * i));
}

function readPairTables(gpos: DataView, lookup: number): PairTable[] {
  const tables: PairTable[] = [];
  for (let i = 0; i < gpos.getUint16(lookup + 4); i++) {
    let type = gpos.getUint16(lookup);
    let at = lookup + gpos.getUint16(lookup + 6 + 2 * i);
    if (type === 9) {
      type = gpos.getUint16(at + 2);
      at += gpos.getUint32(at + 4);
    }
    // Values for the first glyph only, and of them only the advance (4), are what kerning writes.
    if (type !== 2 || gpos.getUint16(at + 4) !== 4 || gpos.getUint16(at + 6) !== 0) continue;
    const covers = readCoverage(gpos, at + gpos.getUint16(at + 2));
    const value = gpos.getUint16(at) === 1 ? pairs(gpos, at, covers) : classes(gpos, at);
    tables.push({ covers, value });
  }
  return tables;
}

function pairs(gpos: DataView, at: number, covers: Map<number, number>): PairTable['value'] {
  const values = new Map<number, number>();
  for (const [glyph, index] of covers) {
    const set = at + gpos.getUint16(at + 10 + 2 * index);
    for (let i = 0; i < gpos.getUint16(set); i++)
      values.set(glyph * 65536 + gpos.getUint16(set + 2 + 4 * i), gpos.getInt16(set + 4 + 4 * i));
  }
  return (left, right) => values.get(left * 65536 + right) ?? null;
}

function classes(gpos: DataView, at: number): PairTable['value'] {
  const first = readClasses(gpos, at + gpos.getUint16(at + 8));
  const second = readClasses(gpos, at + gpos.getUint16(at + 10));
  const columns = gpos.getUint16(at + 14);
  return (left, right) =>
    gpos.getInt16(at + 16 + 2 * ((first.get(left) ?? 0) * columns + (second.get(right) ?? 0)));
}

function readCoverage(gpos: DataView, at: number): Map<number, number> {
  const covers = new Map<number, number>();
  const count = gpos.getUint16(at + 2);
  if (gpos.getUint16(at) === 1) {
    for (let i = 0; i < count; i++) covers.set(gpos.getUint16(at + 4 + 2 * i), i);
    return covers;
  }
  for (let i = 0; i < count; i++) {
    const range = at + 4 + 6 * i;
    const start = gpos.getUint16(range);
    for (let glyph = start; glyph <= gpos.getUint16(range + 2); glyph++)
      covers.set(glyph, gpos.getUint16(range + 4) + glyph - start);
  }
  return covers;
}

function readClasses(gpos: DataView, at: number): Map<number, number> {
  const classOf = new Map<number, number>();
  if (gpos.getUint16(at) === 1) {
    const start = gpos.getUint16(at + 2);
    for (let i = 0; i < gpos.getUint16(at + 4); i++)
      classOf.set(start + i, gpos.getUint16(at + 6 + 2 * i));
    return classOf;
  }
  for (let i = 0; i < gpos.getUint16(at + 2); i++) {
    const range = at + 4 + 6 * i;
    for (let glyph = gpos.getUint16(range); glyph <= gpos.getUint16(range + 2); glyph++)
      classOf.set(glyph, gpos.getUint16(range + 4));
  }
  return classOf;
}
