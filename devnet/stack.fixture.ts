import { startStack } from './stack';

// A launcher as `npm start` is one, without the app: the test of the stack kills it.
// Its argument is the folder with each part as one file.
const stack = await startStack({
  env: process.env,
  durable: false,
  partsDir: process.argv[2] ?? null,
  say: (line) => console.log(line),
  onFatal: (line) => console.log(`fatal ${line}`),
});
process.once('SIGINT', () => void stack.close().then(() => process.exit(0)));
console.log('ready');
