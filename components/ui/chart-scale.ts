/** The ends of an axis that fits `most`, and one line between: 1, 2 or 5 times a power of ten. */
export function axisOf(most: number): { top: number; ticks: readonly number[] } {
  if (!(most > 0)) return { top: 1, ticks: [0] };
  const power = 10 ** Math.floor(Math.log10(most));
  const top = ([1, 2, 5, 10].find((step) => step * power >= most) ?? 10) * power;
  return { top, ticks: [0, top / 2, top] };
}

/** An amount beside a line of the axis: `1.5K`. A value below 0.005 is `<0.01`, not zero. */
export function tickText(value: number, locale: string): string {
  const short = new Intl.NumberFormat(locale, { notation: 'compact', maximumSignificantDigits: 3 });
  return value > 0 && value < 0.005 ? `<${short.format(0.01)}` : short.format(value);
}
