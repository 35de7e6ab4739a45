import { createRequire } from 'node:module';
import { z } from 'zod';
import type { Section } from './sections';

const RULE = /^(modules|layers)-in-order-(.+)$/;
const config = z.object({
  forbidden: z.array(z.object({ name: z.string(), comment: z.string() })),
});

/** The modules of the server in their order, and the modules that each layer above may import. */
export function modulesSections(): Section[] {
  const require = createRequire(import.meta.url);
  const { forbidden } = config.parse(require('../../.dependency-cruiser.cjs'));
  const named = (kind: string) =>
    forbidden.flatMap(({ name, comment }) => {
      const [, of, what = ''] = RULE.exec(name) ?? [];
      return of === kind ? [{ what, comment }] : [];
    });
  const modules = named('modules').map(({ what }) => `\`${what}\``);
  const layers = named('layers').map(({ comment }) => `- ${asCode(comment.split('. ')[0] ?? '')}.`);
  const text = `The modules in their order. Each may import the ones before it: ${modules.join(', ')}.\n\n${layers.join('\n')}`;
  return [{ page: 'docs/architecture.md', name: 'modules', text }];
}

/** Folders and layers in a sentence of the rules, as code. */
function asCode(sentence: string): string {
  return sentence.replace(/\b(server\/)?(use-cases|api|rest|jobs|start)\b/g, '`$&`');
}
