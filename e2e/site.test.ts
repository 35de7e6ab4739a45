import { chromium, type Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe } from 'vitest';
import { startService, type TestService } from '@/tests/harness/start-service';
import { createSpecs } from './create.spec';
import { dashboardSpecs } from './dashboard.spec';
import { deskSpecs } from './desk.spec';
import { BROWSER_ARGS, findBrowser } from './harness/find-browser';
import type { Site } from './harness/open-page';
import { receiptSpecs } from './receipt.spec';
import { statementSpecs } from './statement.spec';

/** One service and one browser for all specs: each start costs about ten seconds. */
let service: TestService | undefined;
let browser: Browser | undefined;

beforeAll(async () => {
  browser = await chromium.launch({ executablePath: findBrowser(), args: BROWSER_ARGS });
  // A blockhash then lives 30 s, as a person needs longer than a program to approve what is signed.
  service = await startService({ env: { DEVNET_SLOT_MS: '200' } });
});
afterEach(async () => {
  // A test that failed must not leave its faults to the next.
  await service?.fault('chain', null);
  await service?.fault('storage', null);
});
afterAll(async () => {
  await browser?.close();
  await service?.close();
});

const site = (): Site => {
  if (!service || !browser) throw new Error('the site was not started');
  return { service, browser };
};

describe('creating a receipt', () => createSpecs(site));
describe('the dashboard', () => dashboardSpecs(site));
describe('payments of pages', () => deskSpecs(site));
describe('statements', () => statementSpecs(site));
describe('the other pages', () => receiptSpecs(site));
