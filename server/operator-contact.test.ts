import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { nameOperator, operatorSettings, operatorVariables } from './operator-contact';

describe('the operator of the service', () => {
  it('is nobody on a local test service, and says so', () => {
    const { operator, faults } = operatorSettings({}, { isLocal: true, network: 'local' });
    expect(faults).toEqual([]);
    expect(operator).toEqual({
      name: 'Test service without an operator',
      contact: 'nobody@test-service.invalid',
      contactUri: 'mailto:nobody@test-service.invalid',
    });
  });

  it('must be set on a real network, by name and by contact', () => {
    const { faults } = operatorSettings({}, { isLocal: false, network: 'mainnet' });
    expect(faults).toEqual([
      'OPERATOR_NAME must be set on mainnet',
      'OPERATOR_CONTACT must be set on mainnet',
    ]);
  });
});

/** The operator of these settings, or the fault in them that the start reports. */
function read(contact: string, name = 'Example Receipts') {
  const parsed = z
    .object(operatorVariables)
    .safeParse({ OPERATOR_NAME: name, OPERATOR_CONTACT: contact });
  if (!parsed.success) return parsed.error.issues.map(({ path, message }) => [...path, message]);
  const { operator, faults } = operatorSettings(parsed.data, {
    isLocal: false,
    network: 'mainnet',
  });
  return faults.length > 0 ? faults : operator.contactUri;
}

it.each([
  ['https://example.com/contact', 'https://example.com/contact'],
  ['help+receipts@example.com', 'mailto:help+receipts@example.com'],
])('takes %s as a contact', (contact, uri) => {
  expect(read(contact)).toBe(uri);
});

it.each(['http://example.com', 'call us', 'a@example.com\nExpires: never'])(
  'refuses %j as a contact',
  (contact) => {
    expect(read(contact)).toEqual([['OPERATOR_CONTACT', 'must be a mail address or an https URL']]);
  },
);

it('refuses a contact that nobody outside can reach, and a name of several lines or of one letter', () => {
  expect(read('https://10.0.0.7/')).toEqual([
    'OPERATOR_CONTACT must not point at this machine or a private network on mainnet',
  ]);
  expect(read('help@example.com', 'Example\nContact: mailto:thief@example.com')).toEqual([
    ['OPERATOR_NAME', 'must be one line of text'],
  ]);
  expect(read('help@example.com', 'x')).toEqual([
    ['OPERATOR_NAME', 'must have at least 2 characters'],
  ]);
});

it('is named in texts that refer a caller to the operator, and in no other text', () => {
  const operator = { name: 'Example', contact: 'help@example.com', contactUri: '' };
  expect(nameOperator('Tell the operator the request_id.', operator)).toBe(
    'Tell the operator the request_id. Operator: Example, help@example.com',
  );
  expect(nameOperator('Send the same request again.', operator)).toBe(
    'Send the same request again.',
  );
});
