import { describe, expect, it } from 'vitest';
import { nameOperator, operatorSettings } from './operator';

describe('who operates the service', () => {
  it('is nobody on a local test service, and says so', () => {
    const { operator, faults } = operatorSettings({}, { isLocal: true, network: 'local' });
    expect(faults).toEqual([]);
    expect(operator).toEqual({
      name: 'Test service without an operator',
      contact: 'nobody@test-service.invalid',
      contactUri: 'mailto:nobody@test-service.invalid',
    });
  });

  it('must be told on a real network, by name and by contact', () => {
    const { faults } = operatorSettings({}, { isLocal: false, network: 'mainnet' });
    expect(faults).toEqual([
      'OPERATOR_NAME must be set on mainnet',
      'OPERATOR_CONTACT must be set on mainnet',
    ]);
  });
});

it('a text that sends a caller to the operator says who that is; no other text is changed', () => {
  const operator = { name: 'Example', contact: 'help@example.com', contactUri: '' };
  expect(nameOperator('Tell the operator the request_id.', operator)).toBe(
    'Tell the operator the request_id. Operator: Example, help@example.com',
  );
  expect(nameOperator('Send the same request again.', operator)).toBe(
    'Send the same request again.',
  );
});
