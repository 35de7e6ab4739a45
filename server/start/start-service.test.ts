import { expect, it } from 'vitest';
import { straightPath, targetOf } from './start-service';

it.each(['/receipt/%', '/receipt/%E0%A4%A', '/%c0%ae', '/a%zz?b=1', 'http://other/', '*', ''])(
  'the path %j cannot be decoded and is sent to the refusal',
  (url) => expect(targetOf('GET', url)).toBe('/bad-request/path'),
);
it.each(['TRACE', 'CONNECT', 'PROPFIND', 'BREW', ''])('so is the method %j', (method) =>
  expect(targetOf(method, '/')).toBe('/bad-request/method'),
);
it.each(['/%6dint', '/%61dmin/mints', '/admin/%6Dints', '/receipt/%30A'])(
  'the path %j is refused',
  (url) => expect(targetOf('GET', url)).toBe('/bad-request/nothing'),
);
it.each(['/', '/receipt/0000?x=%', '/r/%E2%9C%93', '//', '/%00', '/a?b=%61', '/%2e', '/mint%2F'])(
  'the path %j goes on',
  (url) => expect(targetOf('POST', url)).toBeNull(),
);

it.each([
  ['/mint/', '/mint'],
  ['//mint', '/mint'],
  ['/mint//status/x/?wait=1/', '/mint/status/x?wait=1/'],
  ['/a\\b', '/a/b'],
])('the path %j is led to %j', (url, straight) => expect(straightPath(url)).toBe(straight));
it.each(['/', '/mint', '/mint?a=//', '/r/x/card.png'])('the path %j is led nowhere', (url) =>
  expect(straightPath(url)).toBeNull(),
);
