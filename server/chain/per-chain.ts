import { nodesBehind, type Rpc } from './rpc';

/** What is kept of each chain that this process asks, made when it is first wanted. */
export function perChain<T>(make: () => T): (rpc: Pick<Rpc, 'calls'>) => T {
  const made = new WeakMap<object, T>();
  return (rpc) => {
    const chain = nodesBehind(rpc);
    const known = made.get(chain) ?? make();
    made.set(chain, known);
    return known;
  };
}

/** A map of at most so many entries: the one that was written first goes. */
export class BoundedMap<Key, Value> extends Map<Key, Value> {
  constructor(private readonly most: number) {
    super();
  }

  override set(key: Key, value: Value): this {
    super.set(key, value);
    const [first] = this.keys();
    if (this.size > this.most && first !== undefined) this.delete(first);
    return this;
  }
}
