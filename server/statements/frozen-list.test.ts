import { describe, expect, it } from 'vitest';
import { choosePeriod, lastInstant } from './frozen-list';

const now = new Date('2026-11-28T12:00:00Z');
const period = (start: string, end: string) => choosePeriod({ start, end, now });
const fault = (start: string, end: string) => {
  try {
    period(start, end);
    return null;
  } catch (error) {
    return error;
  }
};

describe('the period of a scan', () => {
  it('is the same year whether its end is written as midnight or as the second before', () => {
    const whole = {
      from: new Date('2025-01-01T00:00:00Z'),
      until: new Date('2026-01-01T00:00:00Z'),
    };
    for (const end of [
      '2026-01-01T00:00:00Z',
      '2025-12-31T23:59:59Z',
      '2025-12-31T23:59:59.999Z',
      '2026-01-01T05:45:00+05:45',
    ])
      expect(period('2025-01-01T00:00:00Z', end), end).toEqual(whole);
    expect(lastInstant(whole).toISOString().slice(0, 10)).toBe('2025-12-31');
  });

  it('leaves out the instant it ends at, unless that is the last second of a minute', () => {
    expect(period('2026-01-01T00:00:00Z', '2026-01-01T10:30:58Z').until).toEqual(
      new Date('2026-01-01T10:30:58Z'),
    );
    expect(period('2026-01-01T00:00:00Z', '2026-01-01T10:30:59Z').until).toEqual(
      new Date('2026-01-01T10:31:00Z'),
    );
  });

  it('meets the next one without a gap and without an overlap, however the ends are written', () => {
    for (const end of ['2026-02-01T00:00:00Z', '2026-01-31T23:59:59Z']) {
      const january = period('2026-01-01T00:00:00Z', end);
      const february = period('2026-02-01T00:00:00Z', '2026-02-28T23:59:59Z');
      expect(january.until).toEqual(february.from);
    }
  });

  it('ends now when it would end in the future, and is refused when it would begin there', () => {
    expect(period('2026-11-01T00:00:00Z', '2027-06-01T00:00:00Z').until).toEqual(now);
    expect(fault('2026-11-28T12:00:00Z', '2026-12-28T12:00:00Z')).toMatchObject({
      code: 'nothing_to_state',
    });
  });

  it('is a leap year at most, and never reversed', () => {
    expect(fault('2024-01-01T00:00:00Z', '2024-12-31T23:59:59Z')).toBeNull();
    for (const [start, end, field] of [
      ['2024-01-01T00:00:00Z', '2025-01-01T00:00:01Z', 'period_start'],
      ['2025-02-01T00:00:00Z', '2025-01-01T00:00:00Z', 'period_end'],
      ['2025-02-01T00:00:00Z', '2025-02-01T00:00:00Z', 'period_end'],
    ] as const)
      expect(fault(start, end)).toMatchObject({
        code: 'invalid_request',
        details: { [field]: expect.any(String) as unknown },
      });
  });
});
