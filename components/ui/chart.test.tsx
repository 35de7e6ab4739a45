import { NextIntlClientProvider } from 'next-intl';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import ui from '@/messages/en/ui.json';
import { Chart, type Bar } from './chart';

const bar = (label: string, ...values: number[]): Bar => ({
  label,
  short: label.slice(0, 3),
  values,
  texts: values.map((value) => `$${value}.00`),
});
const render = (bars: Bar[], series = ['Paid', 'Received']) =>
  renderToStaticMarkup(
    <NextIntlClientProvider locale="en" timeZone="UTC" messages={{ ui }}>
      <Chart caption="Payments by month" unit="Month" series={series} bars={bars} />
    </NextIntlClientProvider>,
  );
/** The contents of the elements of one kind, without their tags. */
const texts = (html: string, tag: string) =>
  [...html.matchAll(new RegExp(`<${tag}[ >].*?</${tag}>`, 'gs'))].map(([one]) =>
    one.replaceAll(/<[^>]*>/g, ''),
  );

it('says one bar in words, and draws nothing', () => {
  const html = render([bar('Nov 2026', 3, 0)]);
  expect(texts(html, 'p')).toEqual([
    'Month Nov 2026: Paid $3.00, Received $0.00. A chart appears when there is more than one.',
  ]);
  expect(html).not.toContain('<svg');
});

it('says that the period has no payments', () => {
  expect(texts(render([]), 'p')).toEqual(['Nothing to draw in this period.']);
});

it('has an axis with numbers beside the bars, not over them', () => {
  const html = render([bar('Oct 2026', 0, 0), bar('Nov 2026', 740, 20)]);
  const [scale = '', drawing = ''] = texts(html, 'svg').slice(2);
  expect(scale).toBe('05001K');
  // Among the bars, the only text is the names of the months.
  expect(drawing).toBe('OctNov');
});

it('names its series, and keeps a bar for a month without payments', () => {
  const html = render([bar('Sep 2026', 5, 1), bar('Oct 2026', 0, 0), bar('Nov 2026', 7, 2)]);
  expect(texts(html, 'span').slice(0, 2)).toEqual(['Paid', 'Received']);
  // Two in the key and two for each month.
  expect(html.match(/<rect/g)).toHaveLength(2 + 6);
  expect(texts(html, 'tr')).toEqual([
    'MonthPaidReceived',
    'Sep 2026$5.00$1.00',
    'Oct 2026$0.00$0.00',
    'Nov 2026$7.00$2.00',
  ]);
});
