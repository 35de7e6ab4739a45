import { expect, type CDPSession, type Page } from '@playwright/test';
import { z } from 'zod';

const value = z.object({ value: z.unknown().optional() }).optional();
const node = z.object({
  nodeId: z.string(),
  ignored: z.boolean(),
  role: value,
  name: value,
  description: value,
  backendDOMNodeId: z.number().optional(),
  childIds: z.array(z.string()).optional(),
  properties: z
    .array(z.object({ name: z.string(), value: z.object({ value: z.unknown().optional() }) }))
    .optional(),
});
const tree = z.object({ nodes: z.array(node) });

/** A part of the page as Chromium reports it to assistive programs. */
export type AxNode = {
  role: string;
  name: string;
  description: string;
  /** Id of its node in the DOM, for calls of the protocol. */
  backendNodeId: number;
  /** Whether a property is set, such as `focused`, `focusable` or `disabled`. */
  is: (property: string) => boolean;
  /** Whether changes inside are announced, and this is the outermost part of that kind. */
  isRegion: boolean;
};

/** Everything that Chromium's accessibility tree holds, in reading order. */
export async function readTree(session: CDPSession): Promise<AxNode[]> {
  const { nodes } = tree.parse(await session.send('Accessibility.getFullAXTree'));
  return inReadingOrder(nodes).flatMap((one) => {
    if (one.ignored || one.backendDOMNodeId === undefined) return [];
    const property = (name: string) =>
      one.properties?.find((candidate) => candidate.name === name)?.value.value;
    const isLive = ['polite', 'assertive'].includes(String(property('live')));
    return {
      role: String(one.role?.value ?? ''),
      name: String(one.name?.value ?? ''),
      description: String(one.description?.value ?? ''),
      backendNodeId: one.backendDOMNodeId,
      is: (name: string) => property(name) === true,
      // Parts within a region name their root.
      isRegion: isLive && !one.properties?.some(({ name }) => name === 'root'),
    };
  });
}

/** The browser lists a tree level by level. A reader reads each part to its end. */
function inReadingOrder(nodes: readonly z.infer<typeof node>[]): z.infer<typeof node>[] {
  const byId = new Map(nodes.map((one) => [one.nodeId, one]));
  const below = (one: z.infer<typeof node>): z.infer<typeof node>[] => [
    one,
    ...(one.childIds ?? []).flatMap((id) => {
      const child = byId.get(id);
      return child ? below(child) : [];
    }),
  ];
  const [root] = nodes;
  return root ? below(root) : [];
}

/** The parts with the focus, a line for each: `role | name | description`. */
export function focusOf(nodes: readonly AxNode[]): string {
  return nodes
    .filter((one) => one.role !== 'RootWebArea' && one.is('focused'))
    .map(({ role, name, description }) =>
      [role, name, description].filter((part) => part !== '').join(' | '),
    )
    .join('\n');
}

/** Whether a part has this role, and this name or one that the pattern matches. */
export function isNamed(one: AxNode, role: string, name: string | RegExp): boolean {
  return one.role === role && (typeof name === 'string' ? one.name === name : name.test(one.name));
}

/** A session of the browser's protocol that can act on nodes of the tree. */
export async function openTree(page: Page): Promise<CDPSession> {
  const session = await page.context().newCDPSession(page);
  await session.send('DOM.enable');
  await session.send('Accessibility.enable');
  return session;
}

/** The first part with this role and name, once there is one. */
export async function findNode(
  session: CDPSession,
  role: string,
  name: string | RegExp,
): Promise<AxNode> {
  let last: AxNode[] = [];
  const fits = (one: AxNode) => isNamed(one, role, name);
  await expect
    .poll(
      async () => {
        last = await readTree(session);
        return last.some(fits);
      },
      { message: `a ${role} that is called ${String(name)}`, timeout: 60_000, intervals: [150] },
    )
    .toBe(true);
  const found = last.find(fits);
  if (!found) throw new Error(`no ${role} is called ${String(name)}`);
  return found;
}
