import { startStack } from './stack';

// A launcher as `npm start` is one, without the app: the test of the stack kills it.
const stack = await startStack({
  durable: false,
  say: (line) => console.log(line),
  onFatal: (line) => console.log(`fatal ${line}`),
});
process.once('SIGINT', () => void stack.close().then(() => process.exit(0)));
console.log('ready');
