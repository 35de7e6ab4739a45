import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { DevnetSettingsError, embeddedUrls, parseSettings } from './settings';

describe('settings of the embedded stack', () => {
  it('need no value, and an empty value counts as not set', () => {
    const settings = parseSettings({});
    expect(parseSettings({ CHAIN_PORT: '', DATABASE_URL: '' })).toEqual(settings);
    expect(settings.dataDir).toBe(resolve('.data'));
    expect(embeddedUrls(settings)).toEqual({
      DATABASE_URL: 'postgresql://postgres:postgres@127.0.0.1:15432/quittance',
      SOLANA_RPC_URLS: 'http://127.0.0.1:8899',
      STORAGE_UPLOAD_URL: 'http://127.0.0.1:8898',
      STORAGE_GATEWAY_URL: 'http://127.0.0.1:8898',
      INNGEST_BASE_URL: 'http://127.0.0.1:8288',
      RATES_URL: 'http://127.0.0.1:8897',
      RATES_DATED_URL: 'http://127.0.0.1:8897/dated/{date}/v1',
      SOL_PRICE_URL: 'http://127.0.0.1:8897',
    });
  });

  it('have default ports that no outgoing connection or test of a free port takes', () => {
    const { appPort, postgres, chain, storage, runner, rates } = parseSettings({});
    const ports = [appPort, postgres.port, chain.port, storage.port, runner.port, rates.port];
    // Linux uses ports from 32768 for outgoing connections, and freePort those from 20000.
    expect(ports.filter((port) => port >= 20_000)).toEqual([]);
  });

  it('start only the parts that the user does not bring', () => {
    const brought = {
      DATABASE_URL: 'postgresql://me@db.example.com/mine',
      SOLANA_RPC_URLS: 'https://rpc.example.com',
      INNGEST_BASE_URL: 'http://127.0.0.1:9999',
      RATES_URL: 'https://rates.example.com',
      RATES_DATED_URL: 'https://files.example.com/{date}',
    };
    const settings = parseSettings({ ...brought, STORAGE_PORT: '9000' });
    expect(embeddedUrls(settings)).toEqual({
      STORAGE_UPLOAD_URL: 'http://127.0.0.1:9000',
      STORAGE_GATEWAY_URL: 'http://127.0.0.1:9000',
      SOL_PRICE_URL: 'http://127.0.0.1:8897',
    });
    expect(settings.runner.databaseUrl).toBe(brought.DATABASE_URL);
  });

  it('name each fault in a separate line', () => {
    const parse = () => parseSettings({ PORT: 'abc', CHAIN_PORT: '70000', DEVNET_SLOT_MS: '1.5' });
    expect(parse).toThrow(DevnetSettingsError);
    expect(parse).toThrow(
      [
        'PORT must be a whole number from 1 to 65535',
        'CHAIN_PORT must be a whole number from 1 to 65535',
        'DEVNET_SLOT_MS must be a whole number from 10 to 10000',
      ].join('\n'),
    );
  });
});
