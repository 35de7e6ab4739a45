import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ImageResponse } from '@vercel/og';

/** The texts in the image of a link, top to bottom. */
export type Preview = {
  /** In small capitals next to the name of the product. */
  kind: string;
  title: string;
  /** Small, next to the title, such as a token. */
  unit: string;
  lines: readonly string[];
  /** Whether the line below is good news, no news or bad news; null for no such line. */
  verdict: { words: string; tone: 'good' | 'waiting' | 'bad' } | null;
  /** Across the top where nothing is real. */
  warning: string | null;
};

const PREVIEW_SIZE = { width: 1200, height: 630 } as const;

const COLOURS = {
  page: '#ECECE5',
  paper: '#FFFFFF',
  text: '#16181D',
  muted: '#5B6270',
  line: '#DCDCD4',
  good: '#0B6E4F',
  waiting: '#8A5A00',
  bad: '#A3262A',
} as const;

/**
 * Characters outside those that both given fonts certainly hold. The renderer would load any other
 * from the internet.
 */
const FOREIGN = /[^\x20-\x7e]/g;

/**
 * The image of a link, as PNG of 1200 by 630. Only ASCII is drawn: amounts, tokens, dates, ids and the words of
 * the service, never labels. So nothing is ever fetched. Takes some tens of milliseconds of the calling thread.
 * Throws when the renderer gives no image.
 */
export async function drawPreview(preview: Preview): Promise<Uint8Array> {
  const answer = new ImageResponse(layOut(preview), { ...PREVIEW_SIZE, fonts: fonts() });
  // The renderer works when the body is read: an error must not end in half an answer.
  const png = new Uint8Array(await answer.arrayBuffer());
  if (Buffer.from(png.subarray(1, 4)).toString('latin1') !== 'PNG')
    throw new Error('the preview is no PNG');
  return png;
}

function layOut({ kind, title, unit, lines, verdict, warning }: Preview) {
  // The longest title, of the first page, fits on one line.
  const size = title.length <= 9 ? 150 : title.length <= 16 ? 100 : 60;
  const unitSize = Math.min(64, size * 0.75);
  // Words alone are in the middle of the paper.
  const [above, below] = verdict === null ? ['auto', 'auto'] : [42, 0];
  return (
    <div
      style={{ ...COLUMN, width: '100%', height: '100%', background: COLOURS.page, padding: 32 }}
    >
      <div style={{ ...COLUMN, ...PAPER }}>
        {warning === null ? null : <div style={WARNING}>{plain(warning)}</div>}
        <div style={{ ...COLUMN, flexGrow: 1, padding: '36px 56px' }}>
          <div style={{ ...ROW, fontSize: 30 }}>
            <span style={{ fontWeight: 600 }}>Quittance</span>
            <span style={{ color: COLOURS.muted, letterSpacing: 3 }}>{plain(kind)}</span>
          </div>
          <div style={{ display: 'flex', alignItems: 'flex-end', marginTop: above }}>
            <span style={{ fontSize: size, fontWeight: 600, lineHeight: 1 }}>{plain(title)}</span>
            <span
              style={{
                ...UNIT,
                fontSize: unitSize,
                marginBottom: BELOW_BASELINE * (size - unitSize),
              }}
            >
              {plain(unit)}
            </span>
          </div>
          <div style={{ ...COLUMN, marginTop: 24, marginBottom: below }}>
            {lines.map((line, i) => (
              <span key={i} style={{ fontSize: 38, lineHeight: 1.4 }}>
                {plain(line)}
              </span>
            ))}
          </div>
          {verdict === null ? null : (
            <span
              style={{
                fontSize: 38,
                fontWeight: 600,
                color: COLOURS[verdict.tone],
                marginTop: 'auto',
              }}
            >
              {plain(verdict.words)}
            </span>
          )}
        </div>
      </div>
    </div>
  );
}

/** The part of a line of height 1 that is below the baseline of Inter. The renderer's own alignment is too low. */
const BELOW_BASELINE = 0.136;
const UNIT = { lineHeight: 1, color: COLOURS.muted, marginLeft: 24 } as const;
const COLUMN = { display: 'flex', flexDirection: 'column' } as const;
const ROW = { display: 'flex', justifyContent: 'space-between' } as const;
const PAPER = {
  width: '100%',
  height: '100%',
  background: COLOURS.paper,
  border: `2px solid ${COLOURS.line}`,
  color: COLOURS.text,
  fontFamily: 'Inter',
  fontWeight: 400,
} as const;
const WARNING = {
  display: 'flex',
  justifyContent: 'center',
  padding: '10px 0',
  background: COLOURS.bad,
  color: COLOURS.paper,
  fontSize: 30,
  fontWeight: 600,
} as const;

function plain(text: string): string {
  return text.replace(FOREIGN, '');
}

type Font = { name: string; data: Buffer; weight: 400 | 600; style: 'normal' };
let loaded: Font[] | undefined;

/** Latin in two weights; the renderer reads WOFF and not WOFF2. */
function fonts(): Font[] {
  return (loaded ??= ([400, 600] as const).map((weight) => ({
    name: 'Inter',
    data: readFileSync(
      join(
        /* turbopackIgnore: true */ process.cwd(),
        `node_modules/@fontsource/inter/files/inter-latin-${weight}-normal.woff`,
      ),
    ),
    weight,
    style: 'normal',
  })));
}
