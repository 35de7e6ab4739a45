import { runDemoCommand } from './run-demo';

/** `npm run demo:agent`: an agent with a key and USDC, and nothing else, buys a statement and checks it. */
await runDemoCommand({
  command: 'npm run demo:agent',
  warning: 'the statement of this demo is not real.',
  story: async () => (await import('./demo-agent-story')).runAgentDemo,
});
