import { expect, it } from 'vitest';
import { securityText } from './service-answers';

const operator = {
  name: 'Example Receipts',
  contact: 'help@example.com',
  contactUri: 'mailto:help@example.com',
};
const now = new Date('2026-11-29T12:34:56.789Z');
const fieldsOf = (text: string) =>
  text
    .split('\r\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => line.split(/: (.*)/).slice(0, 2));

it('has the fields of RFC 9116, one a line, and ends within a year of the clock that it is given', () => {
  const text = securityText({ publicUrl: 'https://quittance.example', operator, now });
  expect(fieldsOf(text)).toEqual([
    ['Contact', 'mailto:help@example.com'],
    ['Expires', '2027-05-28T00:00:00.000Z'],
    ['Preferred-Languages', 'en'],
    ['Canonical', 'https://quittance.example/.well-known/security.txt'],
  ]);
  expect(text.startsWith('# Operator: Example Receipts\r\n')).toBe(true);
  expect(text.endsWith('\r\n')).toBe(true);
});

it('takes a page as the contact as well', () => {
  const contact = 'https://example.com/security';
  const text = securityText({
    publicUrl: 'https://quittance.example',
    now,
    operator: { ...operator, contact, contactUri: contact },
  });
  expect(fieldsOf(text)[0]).toEqual(['Contact', contact]);
});
