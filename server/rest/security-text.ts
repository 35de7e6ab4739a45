import type { Operator } from '@/server/operator';

/** Days until a reader has to fetch the file again; RFC 9116 asks for less than a year. */
const VALID_DAYS = 180;
const DAY_MS = 86_400_000;

/** The body of /.well-known/security.txt (RFC 9116): how to report a weakness. */
export function securityText(o: { publicUrl: string; operator: Operator; now: Date }): string {
  const { publicUrl, operator, now } = o;
  const expires = new Date(now.getTime() + VALID_DAYS * DAY_MS);
  expires.setUTCHours(0, 0, 0, 0);
  return [
    `# Operator: ${operator.name}`,
    `Contact: ${operator.contactUri}`,
    `Expires: ${expires.toISOString()}`,
    'Preferred-Languages: en',
    `Canonical: ${publicUrl}/.well-known/security.txt`,
    '',
  ].join('\r\n');
}
