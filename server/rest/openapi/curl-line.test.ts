import { describe, expect, it } from 'vitest';
import { sessionCookie } from '@/server/api/browser-call';
import { OPERATIONS } from '../operations/operations';
import { CURL_VARIABLES, curlLine } from './curl-line';

const lineOf = (id: string, publicUrl = 'https://quittance.test'): string => {
  const found = OPERATIONS.find((one) => one.id === id);
  if (!found) throw new Error(`no operation ${id}`);
  return curlLine(found, publicUrl);
};

describe('the curl line of an operation', () => {
  it('names what the reader fills in as a variable, and writes out the rest', () => {
    expect(lineOf('readMintStatus')).toBe(
      'curl -sS "https://quittance.test/mint/status/$RECEIPT_ID?wait=20"',
    );
    expect(lineOf('calculateValue')).toBe(
      'curl -sS "https://quittance.test/calculate/$TX_SIGNATURE?country=DE"',
    );
    expect(lineOf('readVersion')).toBe("curl -sS 'https://quittance.test/version'");
  });

  it('has the method, the headers and the body of a request', () => {
    expect(lineOf('createReceipt').split(' \\\n  ')).toEqual([
      "curl -sS -X POST 'https://quittance.test/mint'",
      "-H 'Content-Type: application/json'",
      '-H "X-Wallet-Address: $WALLET"',
      '-H "X-Wallet-Signature: $SIGNATURE"',
      expect.stringMatching(/^-d "\{\\"tx_signature\\":\\"\$TX_SIGNATURE\\",/),
    ]);
    expect(lineOf('unregisterSeller')).toContain('-X DELETE');
  });

  it.each([
    ['https://quittance.test', '__Host-quittance'],
    ['http://127.0.0.1:3000', 'quittance'],
  ])('sends the cookie that a sign-in on %s sets', (publicUrl, name) => {
    const parts = lineOf('readDashboardCsv', publicUrl).split(' \\\n  ');
    expect(parts).toContain(`-b "${name}=$SESSION"`);
    expect(sessionCookie(publicUrl, null).split(';')[0]).toBe(`${name}=`);
  });

  it('stores an image in a file', () => {
    expect(lineOf('readImage')).toMatch(/^curl -sSO /);
  });

  it.each(OPERATIONS.filter(({ tag }) => tag !== 'Admin').map(({ id }) => id))(
    'uses only variables that the docs explain, and no placeholder: %s',
    (id) => {
      const used = [...lineOf(id).matchAll(/\$([A-Z_]+)/g)].map(([, name = '']) => name);
      expect(used.filter((name) => !Object.hasOwn(CURL_VARIABLES, name))).toEqual([]);
      expect(lineOf(id)).not.toMatch(/\{\w+\}/);
    },
  );
});
