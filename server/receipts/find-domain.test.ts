import { describe, expect, test } from 'vitest';
import { findDomain } from './find-domain';

describe('a domain', () => {
  test.each([
    ['evil.com', 'evil.com'],
    ['Evil.XYZ', 'evil.xyz'],
    ['pay at Phantom.App!', 'phantom.app'],
    ['ｅｖｉｌ．ｃｏｍ', 'evil.com'],
    ['evil。com', 'evil.com'],
    ['ev\u200cil.c\u00adom', 'evil.com'],
    ['пример.рф', 'пример.рф'],
    ['evil.соm', 'evil.соm'],
    ['evil.com-claim', 'evil.com-claim'],
    ['evil.com.2', 'evil.com.2'],
    ['t.me', 't.me'],
    ['888.win', '888.win'],
    ['bücher.de', 'bücher.de'],
    ['a.xn--p1ai', 'a.xn--p1ai'],
    ['evil.co.uk', 'evil.co.uk'],
    ['例え。みんな evil.io', 'evil.io'],
  ])('is found in %s', (text, found) => {
    expect(findDomain(text)).toBe(found);
  });

  test.each([
    ...['node.js', 'Next.js 16.4', 'v1.2/3', 'ASP.NET', 'archive.tar.gz', 'main.py', 'README.md'],
    ...['report.pdf', 'data.csv', 'photos.zip', '1.50', '1.234,50', '2026.11.30', '3.pm'],
    ...['e.g. this', 'U.S.A.', 'z.B. Strom', 'M.Sc.', 'Ph.D.', 'S.à r.l.', 'C.V.', 'т.е.'],
    ...[
      'Inv.No.42',
      'Art.Nr. 5',
      'user.id.7',
      'GmbH & Co.KG',
      'Acme Co.,Ltd',
      'Acme Co.Ltd',
      'St.Gallen',
    ],
    ...['Dr.Smith', 'руб.коп', '訂閱。世界', '食費。コーヒー', 'node.js, v1.2/3: 2 at 5.00'],
  ])('is not found in %s', (text) => {
    expect(findDomain(text)).toBeNull();
  });
});
