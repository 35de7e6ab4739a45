import {
  closeSync,
  fdatasync,
  fsyncSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';

export type Journal = ReturnType<typeof openJournal>;

const NEWLINE = 10;

/**
 * A file of lines that only grows. `append` gives a line to the operating system before it returns,
 * so a killed process loses nothing. `flush` waits until the disk has it, many lines with one sync.
 */
export function openJournal(file: string) {
  mkdirSync(dirname(file), { recursive: true });
  let fd = openSync(file, 'a+');
  let unsynced = false;
  let syncing: Promise<void> | null = null;

  function sync(): Promise<void> {
    unsynced = false;
    const at = fd;
    return new Promise((resolve, reject) => {
      fdatasync(at, (error) => (error ? reject(error) : resolve()));
    });
  }

  return {
    /** The lines in the file. A last line that was cut off during its write is dropped. */
    *lines(): Generator<string> {
      const content = readFileSync(file);
      const end = content.lastIndexOf(NEWLINE) + 1;
      if (end < content.length) ftruncateSync(fd, end);
      for (let from = 0; from < end;) {
        const to = content.indexOf(NEWLINE, from);
        yield content.toString('utf8', from, to);
        from = to + 1;
      }
    },
    append(line: object): void {
      writeAll(fd, `${JSON.stringify(line)}\n`);
      unsynced = true;
    },
    async flush(): Promise<void> {
      while (syncing) await syncing;
      if (!unsynced) return;
      syncing = sync().finally(() => (syncing = null));
      await syncing;
    },
    /** Replaces the whole file by other lines. If the process dies, the old file stays. */
    rewrite(lines: Iterable<object>): void {
      const part = `${file}.part`;
      const next = openSync(part, 'w');
      for (const line of lines) writeAll(next, `${JSON.stringify(line)}\n`);
      fsyncSync(next);
      closeSync(next);
      renameSync(part, file);
      closeSync(fd);
      fd = openSync(file, 'a+');
    },
    async close(): Promise<void> {
      await this.flush();
      closeSync(fd);
    },
  };
}

function writeAll(fd: number, text: string): void {
  const bytes = Buffer.from(text);
  for (let done = 0; done < bytes.length;) done += writeSync(fd, bytes, done);
}
