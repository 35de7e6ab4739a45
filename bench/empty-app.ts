/**
 * An app with one function of empty steps, as many as a mint has, to measure the runner alone.
 * Arguments: port, address of the runner, number of steps.
 */
import { createServer } from 'node:http';
import { Inngest } from 'inngest';
import { serve } from 'inngest/node';

const [port = '0', runner = '', steps = '8'] = process.argv.slice(2);
const inngest = new Inngest({ id: 'empty', baseUrl: runner, isDev: true });
let ended = 0;

const empty = inngest.createFunction(
  { id: 'empty', concurrency: { limit: 20 }, triggers: [{ event: 'empty' }] },
  async ({ step }) => {
    for (let n = 0; n < Number(steps); n += 1) await step.run(`step-${n}`, () => ({ done: true }));
    await step.run('end', () => {
      ended += 1;
    });
  },
);

const handler = serve({ client: inngest, functions: [empty] });
createServer((request, response) => {
  if (request.url === '/ended') return void response.end(String(ended));
  if (request.url === '/send') {
    const events = Array.from({ length: 200 }, () => ({ name: 'empty' }));
    return void inngest.send(events).then(() => response.end('sent'));
  }
  handler(request, response);
}).listen(Number(port), '127.0.0.1', () => console.log('ready'));
