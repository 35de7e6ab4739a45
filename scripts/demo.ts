import { runDemoCommand } from './run-demo';

/** `npm run demo`: one payment turned into a checked receipt. */
await runDemoCommand({
  command: 'npm run demo',
  warning: 'the receipt of this demo is not real.',
  story: async () => (await import('./demo-story')).runDemo,
});
