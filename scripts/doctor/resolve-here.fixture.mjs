import dns from 'node:dns';
import { syncBuiltinESMExports } from 'node:module';

/** Public names that the settings of a real network ask for, of servers that a test runs on this machine. */
const real = dns.lookup;
dns.lookup = (host, ...rest) =>
  real(host.endsWith('.doctor.example') ? '127.0.0.1' : host, ...rest);
syncBuiltinESMExports();
