export type Point = { x: number; y: number };
/** A closed line of straight pieces, in pixels (y down). */
export type Polygon = readonly Point[];

/** How much of each pixel a shape covers, 0 to 255, for the pixels from (left, top). */
export type Mask = {
  left: number;
  top: number;
  width: number;
  height: number;
  coverage: Uint8Array;
};

/**
 * Exact area coverage of closed polygons. Contours in opposite directions cut holes, those in the same
 * direction join (the non-zero rule, as far as fonts need it).
 */
export function rasterise(polygons: readonly Polygon[]): Mask {
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const polygon of polygons) {
    for (const { x, y } of polygon) {
      left = Math.min(left, x);
      right = Math.max(right, x);
      top = Math.min(top, y);
      bottom = Math.max(bottom, y);
    }
  }
  if (left > right) return { left: 0, top: 0, width: 0, height: 0, coverage: new Uint8Array(0) };
  left = Math.floor(left);
  top = Math.floor(top);
  const width = Math.ceil(right) - left + 1;
  const height = Math.ceil(bottom) - top + 1;
  // What each cell adds to the winding of all cells to its right; one cell more for the right edge.
  const change = new Float32Array((width + 1) * height);
  for (const polygon of polygons) {
    let from = polygon.at(-1);
    for (const to of polygon) {
      if (from) addEdge(change, width + 1, from.x - left, from.y - top, to.x - left, to.y - top);
      from = to;
    }
  }
  return { left, top, width, height, coverage: sumRows(change, width, height) };
}

/** Splits an edge into rows and each piece into cells, and books the area to the right of it. */
function addEdge(
  change: Float32Array,
  stride: number,
  x0: number,
  y0: number,
  x1: number,
  y1: number,
): void {
  if (y0 === y1) return;
  if (y0 > y1) return addPieces(change, stride, x1, y1, x0, y0, -1);
  addPieces(change, stride, x0, y0, x1, y1, 1);
}

function addPieces(
  change: Float32Array,
  stride: number,
  x0: number,
  y0: number,
  x1: number,
  y1: number,
  direction: number,
): void {
  const slope = (x1 - x0) / (y1 - y0);
  let x = x0;
  let y = y0;
  for (let row = Math.floor(y0); y < y1; row++) {
    const nextY = Math.min(row + 1, y1);
    const nextX = nextY === y1 ? x1 : x + (nextY - y) * slope;
    addRow(change, row * stride, x, nextX, (nextY - y) * direction);
    x = nextX;
    y = nextY;
  }
}

/** One row's piece from x `a` to `b`, with a height of `rise` (negative: upwards). */
function addRow(change: Float32Array, row: number, a: number, b: number, rise: number): void {
  const low = Math.min(a, b);
  const high = Math.max(a, b);
  const first = Math.floor(low);
  const last = Math.floor(high);
  for (let cell = first; cell <= last; cell++) {
    const start = Math.max(low, cell);
    const end = Math.min(high, cell + 1);
    const part = high === low ? rise : (rise * (end - start)) / (high - low);
    const beyond = part * ((start + end) / 2 - cell);
    const at = row + cell;
    change[at] = (change[at] ?? 0) + part - beyond;
    change[at + 1] = (change[at + 1] ?? 0) + beyond;
  }
}

function sumRows(change: Float32Array, width: number, height: number): Uint8Array {
  const coverage = new Uint8Array(width * height);
  for (let y = 0; y < height; y++) {
    let winding = 0;
    for (let x = 0; x < width; x++) {
      winding += change[y * (width + 1) + x] ?? 0;
      coverage[y * width + x] = Math.min(255, Math.round(Math.abs(winding) * 255));
    }
  }
  return coverage;
}
