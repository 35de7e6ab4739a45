import { createHash } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import canonicalize from 'canonicalize';
import { z } from 'zod';
import { NoJson, postJson, type AskNode } from '../chain/post-json';

/** The address of the node when only saved answers are used. */
export const OFFLINE = 'http://saved.answers.invalid';

const question = z.object({ method: z.string(), params: z.unknown() });

/**
 * A node whose answers are saved in a folder, one file a question. A question without a saved
 * answer has no answer.
 */
export function askFiles(folder: string | null): AskNode {
  return async (_url, body) => {
    const { method } = question.parse(body);
    if (folder === null) throw new NoJson(`no node was asked for ${method} (--rpc none)`);
    try {
      const json: unknown = JSON.parse(await readFile(placeOf(folder, body), 'utf8'));
      return json;
    } catch (cause) {
      throw new NoJson(`${folder} has no saved answer to ${method}`, { cause });
    }
  };
}

/** Asks a node, and saves its answers in a folder for {@link askFiles}. */
export function askAndSave(folder: string): AskNode {
  return async (url, body) => {
    const answer = await postJson(url, body);
    await mkdir(folder, { recursive: true });
    await writeFile(placeOf(folder, body), JSON.stringify(answer));
    return answer;
  };
}

/** Named after the question: the method, and a hash of it with its parameters. */
function placeOf(folder: string, body: unknown): string {
  const { method, params } = question.parse(body);
  const hash = createHash('sha256').update(canonicalize({ method, params }) ?? '');
  return join(folder, `${method.replace(/\W/g, '')}-${hash.digest('hex').slice(0, 24)}.json`);
}
