/** Sizes of the two trees that documents and the doctor recommend: 16 thousand places, and 131 thousand. */
export const RECOMMENDED_TREES = {
  small: { depth: 14, buffer: 64, canopy: 8 },
  large: { depth: 17, buffer: 64, canopy: 10 },
} as const;
