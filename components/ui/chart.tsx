'use client';

import styles from './chart.module.css';
import { classNames } from './class-names';
import { Table, type Column } from './table';

export type Bar = {
  /** Below the bar: `2026-11`. */
  label: string;
  /** One number for each series. Bars are drawn from these, words come from `texts`. */
  values: readonly number[];
  /** The same, exact and with units, as the table shows them. */
  texts: readonly string[];
};

type ChartProps = {
  caption: string;
  /** At most two. */
  series: readonly string[];
  bars: readonly Bar[];
};

const [WIDTH, HEIGHT, FOOT, HEAD] = [640, 220, 32, 24] as const;

/** Bars by month. The same numbers stand in a table behind it, for whoever cannot see or wants exactness. */
export function Chart({ caption, series, bars }: ChartProps) {
  if (bars.length === 0) return <p className="muted">Nothing to draw in this period.</p>;
  const most = Math.max(...bars.flatMap(({ values }) => values), Number.MIN_VALUE);
  const slot = WIDTH / bars.length;
  const width = Math.min(40, (slot * 0.7) / series.length);
  const every = Math.ceil(bars.length / 8);
  return (
    <figure className={styles['chart']}>
      <figcaption className="unseen">{caption}</figcaption>
      {series.length > 1 ? (
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
      ) : null}
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} className={styles['drawing']} aria-hidden="true">
        <line
          {...{ x1: 0, x2: WIDTH, y1: HEIGHT - FOOT, y2: HEIGHT - FOOT }}
          className={styles['axis']}
        />
        {bars.map((bar, at) => (
          <g key={bar.label}>
            {bar.values.map((value, i) => {
              const height = (Math.max(0, value) / most) * (HEIGHT - FOOT - HEAD);
              const left = slot * at + (slot - width * series.length) / 2 + width * i;
              return (
                <rect
                  key={series[i] ?? i}
                  {...looks(i)}
                  {...{ x: left, y: HEIGHT - FOOT - height, width, height }}
                />
              );
            })}
            {at % every === 0 ? (
              <text
                {...{ x: slot * (at + 0.5), y: HEIGHT - FOOT + 8, textAnchor: 'middle' }}
                dominantBaseline="hanging"
                className={classNames(styles['text'], (at / every) % 2 === 1 && styles['minor'])}
              >
                {bar.label}
              </text>
            ) : null}
          </g>
        ))}
      </svg>
      <details>
        <summary>Show as a table</summary>
        <Table
          caption={caption}
          columns={columnsOf(series)}
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

function columnsOf(series: readonly string[]): Column<Bar>[] {
  return [
    { key: 'label', head: 'Month', rowHead: true, cell: ({ label }) => label },
    ...series.map((name, i): Column<Bar> => ({
      key: name,
      head: name,
      numeric: true,
      cell: ({ texts }) => texts[i] ?? '',
    })),
  ];
}
