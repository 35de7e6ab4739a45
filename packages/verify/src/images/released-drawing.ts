/**
 * The packages that releases of the service draw with, in the words of an image (`Quittance-Drawn-With`) without the
 * machine, oldest first. Images of the first release name none. A release with other versions adds its own.
 */
const RELEASED: readonly [first: string, ...later: string[]] = [
  '@napi-rs/canvas 1.1.1, @fontsource/inter 5.3.0, @fontsource/jetbrains-mono 5.3.0, @fontsource/noto-color-emoji 5.3.2, @fontsource/noto-sans-arabic 5.3.0, @fontsource/noto-sans-devanagari 5.3.0, @fontsource/noto-sans-hebrew 5.3.0, @fontsource/noto-sans-jp 5.3.0, @fontsource/noto-sans-kr 5.3.0, @fontsource/noto-sans-sc 5.3.0, @fontsource/noto-sans-thai 5.3.0',
  '@napi-rs/canvas 1.1.1, @fontsource/inter 5.3.0, @fontsource/jetbrains-mono 5.3.0, @fontsource/noto-color-emoji 5.3.2, @fontsource/noto-sans-arabic 5.3.0, @fontsource/noto-sans-devanagari 5.3.0, @fontsource/noto-sans-hebrew 5.3.0, @fontsource/noto-sans-jp 5.3.0, @fontsource/noto-sans-kr 5.3.0, @fontsource/noto-sans-malayalam 5.3.0, @fontsource/noto-sans-sc 5.3.0, @fontsource/noto-sans-sinhala 5.3.0, @fontsource/noto-sans-thai 5.3.0',
];

/** Up to this day no release drew with others: no image that was minted before can name them. Moved with each addition. */
const RELEASED_UNTIL = new Date('2026-12-01T00:00:00Z');

/**
 * The versions of the packages that drew an image, without the machine. An image without names is
 * of the first release.
 */
export function versionsIn(drawnWith: string | null): string {
  return drawnWith === null ? RELEASED[0] : drawnWith.slice(0, drawnWith.lastIndexOf(', '));
}

/**
 * Whether packages draw the same as others: all that `named` lists are among `installed`, in the
 * same versions. A font that was added later draws nothing that the older fonts have.
 */
export function drawsTheSame(named: string, installed: string): boolean {
  const all = new Set(installed.split(', '));
  return named.split(', ').every((one) => all.has(one));
}

/** Whether a release drew with these versions; a later one than the verifier knows may. */
export function mayBeReleased(versions: string, mintedAt: Date | null): boolean {
  return isReleased(versions) || mintedAt === null || mintedAt >= RELEASED_UNTIL;
}

/** Whether a release of this verifier knows these versions. */
export function isReleased(versions: string): boolean {
  return RELEASED.includes(versions);
}
