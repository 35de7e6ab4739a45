import { startStack } from './stack';

// A launcher like `npm start`, without the app. The test of the stack kills it. Its argument is the
// folder with one file for each part.
const stack = await startStack({
  env: process.env,
  durable: false,
  partsDir: process.argv[2] ?? null,
  say: (line) => console.log(line),
  onFatal: (line) => console.log(`fatal ${line}`),
});
process.once('SIGINT', () => void stack.close().then(() => process.exit(0)));
console.log('ready');
