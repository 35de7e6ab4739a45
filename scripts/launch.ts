import { SettingsError } from '@/server/env';
import { isLocal, loadDotEnv } from './environment';
import { onStopRequest } from './on-stop-request';
import type { Place, Running } from './start-place';

/**
 * `npm start` and `npm run dev`: runs until asked to end, then ends every process that it started.
 * The embedded stack is loaded only on NETWORK=local.
 */
export async function launch(mode: 'start' | 'dev'): Promise<void> {
  const stopped = new AbortController();
  const say = (line: string) => console.log(line);
  let running: Running | null = null;
  try {
    loadDotEnv();
    const place = await choosePlace();
    const end = async (code: number) => {
      stopped.abort();
      await (running ? running.close() : place.interrupt());
      if (running) process.exit(code);
    };
    onStopRequest((why) => {
      say(`stopping (${why})`);
      void end(0);
    });
    const onFatal = (line: string) => {
      console.error(line);
      void end(1);
    };
    running = await place.start({ mode, say, onFatal, signal: stopped.signal });
    stopped.signal.throwIfAborted();
    if (place.warning !== null) say(place.warning);
    say(`ready ${running.baseUrl}`);
  } catch (error) {
    if (stopped.signal.aborted) {
      await running?.close();
      process.exit(0);
    }
    const lines = error instanceof SettingsError ? error.lines : [messageOf(error)];
    for (const line of lines) console.error(line);
    process.exit(1);
  }
}

async function choosePlace(): Promise<Place> {
  if (isLocal()) return (await import('./start-embedded')).embedded();
  return (await import('./start-cluster')).cluster();
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error));
