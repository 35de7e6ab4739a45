import { runDemoCommand } from './run-demo';

/** `npm run demo:agent`: an agent that has only a key and USDC buys a statement and checks it. */
await runDemoCommand({
  command: 'npm run demo:agent',
  warning: 'the statement of this demo is not real.',
  story: async () => (await import('./demo-agent-story')).runAgentDemo,
});
