'use client';

import { useLocale, useTranslations } from 'next-intl';
import { axisOf, tickText } from './chart-scale';
import styles from './chart.module.css';
import { classNames } from './class-names';
import { Table, type Column } from './table';

export type Bar = {
  /** In the table: `Nov 2026`. */
  label: string;
  /** Below the bar, if a shorter name is needed. */
  short?: string;
  /**
   * One number for each series, in the unit of the axis, for the bars. The words come from `texts`.
   */
  values: readonly number[];
  /** The same values, exact and with units, for the table. */
  texts: readonly string[];
};

type ChartProps = {
  caption: string;
  /** At most two, each with its unit: `Paid (USD)`. */
  series: readonly string[];
  /** Complete: a month or day without payments is a bar of height 0. */
  bars: readonly Bar[];
  /** The unit of time of a bar: `Month`, `Day`. */
  unit: string;
};

/** Pixels. Widths are shares of the available width, so words keep their size on a phone. */
const [HEIGHT, FOOT, HEAD] = [220, 28, 20] as const;
const PLOT = HEIGHT - FOOT - HEAD;
/** Pixels: the widest digit of the axis, and the gap between the axis and the first bar. */
const [DIGIT, GAP] = [7, 8] as const;

/**
 * Bars by time over an axis. A table behind it has the same numbers, exact and for screen readers.
 */
export function Chart({ caption, series, bars, unit }: ChartProps) {
  const t = useTranslations('ui');
  const locale = useLocale();
  const [only] = bars;
  if (!only) return <p className="muted">{t('chart.none')}</p>;
  if (bars.length === 1)
    return (
      <p className="muted" suppressHydrationWarning>
        {t('chart.one', {
          unit,
          label: only.label,
          values: series.map((name, i) => `${name} ${only.texts[i] ?? ''}`).join(', '),
        })}
      </p>
    );
  const { top, ticks } = axisOf(Math.max(...bars.flatMap(({ values }) => values)));
  const yOf = (value: number) => HEAD + PLOT - (Math.max(0, value) / top) * PLOT;
  const slot = 100 / bars.length;
  const width = Math.min(6, (slot * 0.7) / series.length);
  const every = Math.ceil(bars.length / 8);
  const marks = ticks.map((tick) => ({ y: yOf(tick), text: tickText(tick, locale) }));
  const margin = Math.max(...marks.map(({ text }) => text.length)) * DIGIT + GAP;
  return (
    <figure className={styles['chart']}>
      <figcaption className="unseen">{caption}</figcaption>
      <div className={styles['key']} aria-hidden="true">
        {series.map((name, i) => (
          <span key={name}>
            <svg width="12" height="12">
              <rect {...looks(i)} x="0.5" y="0.5" width="11" height="11" />
            </svg>
            {name}
          </span>
        ))}
      </div>
      <div className={styles['plot']} aria-hidden="true">
        <svg width={margin} height={HEIGHT} className={styles['scale']}>
          {marks.map(({ y, text }) => (
            <text
              key={y}
              x={margin - GAP}
              y={y}
              className={styles['tick']}
              suppressHydrationWarning
            >
              {text}
            </text>
          ))}
        </svg>
        <svg width="100%" height={HEIGHT} className={styles['drawing']}>
          {marks.map(({ y }) => (
            <line key={y} x1="0" x2="100%" y1={y} y2={y} className={styles['axis']} />
          ))}
          {bars.map((bar, at) => (
            <g key={bar.label}>
              {bar.values.map((value, i) => (
                <rect
                  key={series[i] ?? i}
                  {...looks(i)}
                  x={`${slot * at + (slot - width * series.length) / 2 + width * i}%`}
                  y={yOf(value)}
                  width={`${width}%`}
                  height={HEAD + PLOT - yOf(value)}
                />
              ))}
              {at % every === 0 ? (
                <text
                  x={`${slot * (at + 0.5)}%`}
                  y={HEIGHT - FOOT + 8}
                  textAnchor="middle"
                  dominantBaseline="hanging"
                  className={classNames(styles['text'], (at / every) % 2 === 1 && styles['minor'])}
                  suppressHydrationWarning
                >
                  {bar.short ?? bar.label}
                </text>
              ) : null}
            </g>
          ))}
        </svg>
      </div>
      <details>
        <summary>{t('chart.table')}</summary>
        <Table
          caption={caption}
          columns={columnsOf(series, unit)}
          rows={bars}
          rowKey={({ label }) => label}
        />
      </details>
    </figure>
  );
}

function looks(series: number) {
  return { className: series === 0 ? styles['bar'] : styles['second'], rx: 2 };
}

function columnsOf(series: readonly string[], unit: string): Column<Bar>[] {
  return [
    {
      key: 'label',
      head: unit,
      rowHead: true,
      cell: ({ label }) => <span suppressHydrationWarning>{label}</span>,
    },
    ...series.map((name, i): Column<Bar> => ({
      key: name,
      head: name,
      numeric: true,
      cell: ({ texts }) => <span suppressHydrationWarning>{texts[i] ?? ''}</span>,
    })),
  ];
}
