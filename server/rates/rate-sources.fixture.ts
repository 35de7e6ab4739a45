import { createServer } from 'node:http';

/** One publication: units of each currency for one of the base, as published. */
export type Day = Readonly<Record<string, string>>;

/**
 * Days on which the ECB publishes here, and no others. The figures of 2024-03-01, 2025-06-13 and
 * 2025-12-24 are its real reference rates, for the currencies that the vectors need.
 */
export const ECB: Readonly<Record<string, Day>> = {
  '2024-03-01': { USD: '1.0813', JPY: '162.82' },
  '2025-06-13': { USD: '1.1512', JPY: '165.98' },
  '2025-12-23': { USD: '1.1780', GBP: '0.8700' },
  '2025-12-24': {
    USD: '1.1787',
    GBP: '0.8729',
    JPY: '183.83',
    KRW: '1707.04',
    IDR: '19740.28',
    INR: '105.7755',
    CHF: '0.9284',
  },
  '2025-12-29': { USD: '1.1766', GBP: '0.87135', JPY: '183.83', KRW: '1690', IDR: '19700' },
};

export type TestSources = {
  url: string;
  /** Paths asked for, in order. */
  asked: string[];
  /**
   * The figures of each source; change them to publish more. The ECB's figures are for one euro.
   */
  ecb: Record<string, Day>;
  /** Frankfurter's blend, for one dollar. */
  blend: Record<string, Day>;
  /** Dated files, for one dollar. */
  files: Record<string, Day | Record<string, number>>;
  /** Closes of SOL. */
  candles: Record<string, number>;
  /** Answers every request with this status instead; 0 drops the connection. */
  fails: number | null;
  /** Where Frankfurter's list of currencies says that each series begins. */
  firstDays: Record<string, string>;
  close(): Promise<void>;
};

/** Frankfurter, currency-api and Coinbase on one port, with the holes of their calendars. */
export async function startSources(): Promise<TestSources> {
  const sources: Omit<TestSources, 'url' | 'close'> = {
    asked: [],
    ecb: { ...ECB },
    blend: {},
    files: {},
    candles: {},
    fails: null,
    firstDays: {},
  };
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://test');
    sources.asked.push(url.pathname + url.search);
    if (sources.fails === 0) return void request.socket.destroy();
    const body = sources.fails === null ? answer(sources, url) : 'down';
    response.writeHead(sources.fails ?? (body === null ? 404 : 200));
    response.end(body ?? '{}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  return Object.assign(sources, {
    url: `http://127.0.0.1:${port}`,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  });
}

function answer(sources: Omit<TestSources, 'url' | 'close'>, url: URL): string | null {
  if (url.pathname === '/v2/currencies')
    return JSON.stringify(
      Object.entries(sources.firstDays).map(([code, day]) => ({ iso_code: code, start_date: day })),
    );
  if (url.pathname === '/v2/rates') return frankfurterRange(sources, url.searchParams);
  if (url.pathname === '/products/SOL-USD/candles') return candles(sources, url.searchParams);
  const file = /^\/files\/([\d-]+)(?:\/for-[\d-]+)?\/currencies\/usd\.min\.json$/;
  const date = file.exec(url.pathname)?.[1] ?? '';
  const usd = sources.files[date];
  if (!usd) return null;
  const rates = Object.entries(usd).map(([code, rate]) => `"${code.toLowerCase()}":${rate}`);
  return `{"date":"${date}","usd":{${rates.join(',')}}}`;
}

/**
 * The range query of Frankfurter's v2. `providers=ECB` echoes the ECB's own digits for one euro.
 * Without it the answer is the blend, which is kept for one dollar and rounded again for every
 * other base.
 */
function frankfurterRange(
  sources: Pick<TestSources, 'ecb' | 'blend'>,
  query: URLSearchParams,
): string {
  const text = (name: string) => query.get(name) ?? '';
  const base = query.get('base') ?? 'EUR';
  const isEcb = text('providers').toUpperCase() === 'ECB';
  if (isEcb && base !== 'EUR') throw new Error('the ECB is asked for one euro only');
  const published = isEcb ? sources.ecb : sources.blend;
  const days = Object.keys(published).sort();
  // As the real one: a silent first day is answered with the publication before it.
  const before = days.filter((day) => day < text('from')).slice(-1);
  const inRange = days.filter((day) => day >= text('from') && day <= text('to'));
  const snapped = inRange.includes(text('from')) ? inRange : [...before, ...inRange];
  const rows = snapped.flatMap((date) =>
    text('quotes')
      .split(',')
      .flatMap((quote) => {
        const day = published[date] ?? {};
        const rate = isEcb || base === 'USD' ? day[quote] : crossed(day, base, quote);
        return rate === undefined
          ? []
          : [`{"date":"${date}","base":"${base}","quote":"${quote}","rate":${rate}}`];
      }),
  );
  return `[${rows.join(',')}]`;
}

/** A figure of the blend for another base than the dollar: five digits, like Frankfurter rounds. */
function crossed(day: Day, base: string, quote: string): string | undefined {
  const perDollar = quote === 'USD' ? '1' : day[quote];
  const divisor = day[base];
  if (perDollar === undefined || divisor === undefined) return undefined;
  return String(Number((Number(perDollar) / Number(divisor)).toPrecision(5)));
}

function candles(sources: Pick<TestSources, 'candles'>, query: URLSearchParams): string {
  const day = (name: string) => (query.get(name) ?? '').slice(0, 10);
  return JSON.stringify(
    Object.entries(sources.candles)
      .filter(([date]) => date >= day('start') && date <= day('end'))
      .map(([date, close]) => [Date.parse(date) / 1000, 1, 999, 2, close, 12345.678])
      .reverse(),
  );
}
