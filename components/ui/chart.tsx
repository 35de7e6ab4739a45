'use client';

import { useLocale, useTranslations } from 'next-intl';
import { axisOf, tickText } from './chart-scale';
import styles from './chart.module.css';
import { classNames } from './class-names';
import { Table, type Column } from './table';

export type Bar = {
  /** In the table: `2026-11`. */
  label: string;
  /** Below the bar, where that is shorter. */
  short?: string;
  /** One number for each series, in the unit of the axis. Bars are drawn from these, words come from `texts`. */
  values: readonly number[];
  /** The same, exact and with units, as the table shows them. */
  texts: readonly string[];
};

type ChartProps = {
  caption: string;
  /** At most two, each with its unit: `Paid (USD)`. */
  series: readonly string[];
  /** Without a gap: a month or day without payments is a bar of height 0. */
  bars: readonly Bar[];
  /** What a bar is about: `Month`, `Day`. */
  unit: string;
};

/** Pixels. Widths are shares of the place there is, so words keep their size on a phone. */
const [HEIGHT, FOOT, HEAD] = [220, 28, 20] as const;
const PLOT = HEIGHT - FOOT - HEAD;

/** Bars by time over an axis. The same numbers stand in a table behind it, exact and for screen readers. */
export function Chart({ caption, series, bars, unit }: ChartProps) {
  const t = useTranslations('ui');
  const locale = useLocale();
  const [only] = bars;
  if (!only) return <p className="muted">{t('chart.none')}</p>;
  if (bars.length === 1)
    return (
      <p className="muted">
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
      <svg width="100%" height={HEIGHT} className={styles['drawing']} aria-hidden="true">
        {ticks.map((tick) => (
          <line
            key={tick}
            x1="0"
            x2="100%"
            y1={yOf(tick)}
            y2={yOf(tick)}
            className={styles['axis']}
          />
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
              >
                {bar.short ?? bar.label}
              </text>
            ) : null}
          </g>
        ))}
        {ticks.map((tick) => (
          <text key={tick} x="0" y={yOf(tick) - 4} className={styles['tick']}>
            {tickText(tick, locale)}
          </text>
        ))}
      </svg>
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
    { key: 'label', head: unit, rowHead: true, cell: ({ label }) => label },
    ...series.map((name, i): Column<Bar> => ({
      key: name,
      head: name,
      numeric: true,
      cell: ({ texts }) => texts[i] ?? '',
    })),
  ];
}
