import { afterEach } from 'vitest';
import { createRpc, type Rpc } from '../rpc';
import { startFakeNode, type Answer, type FakeNode } from '../../../tests/harness/chain/fake-node';

const open: FakeNode[] = [];

/** Nodes that say what the test wants, one for each answer. They end after each test of a file that calls this. */
export function withFakeNodes() {
  afterEach(async () => {
    await Promise.all(open.splice(0).map((node) => node.close()));
  });
  return { nodesSaying, over };
}

async function nodesSaying(
  ...answers: ((method: string, params: unknown) => Answer)[]
): Promise<FakeNode[]> {
  const nodes = await Promise.all(
    answers.map((answer) => startFakeNode(({ method, params }) => answer(method, params))),
  );
  open.push(...nodes);
  return nodes;
}

function over(nodes: readonly FakeNode[], timeoutMs = 2_001): Rpc {
  return createRpc({ urls: nodes.map(({ url }) => url), timeoutMs });
}
