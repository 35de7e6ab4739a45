import { nodesBehind, type Rpc } from './rpc';

/** State for each chain that this process reads, made at first use. */
export function perChain<T>(make: () => T): (rpc: Pick<Rpc, 'calls'>) => T {
  const made = new WeakMap<object, T>();
  return (rpc) => {
    const chain = nodesBehind(rpc);
    const known = made.get(chain) ?? make();
    made.set(chain, known);
    return known;
  };
}

/** A map of at most this many entries. The oldest one is dropped. */
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
