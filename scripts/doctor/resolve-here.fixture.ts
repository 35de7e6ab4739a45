import dns from 'node:dns';
import { syncBuiltinESMExports } from 'node:module';

/**
 * Public names, as the settings of a real network require, for servers that a test runs on this
 * machine.
 */
const real = dns.lookup;
Object.assign(dns, {
  lookup: (host: string, ...rest: unknown[]): unknown =>
    Reflect.apply(real, dns, [
      /\.doctor(-two)?\.example$/.test(host) ? '127.0.0.1' : host,
      ...rest,
    ]),
});
syncBuiltinESMExports();
