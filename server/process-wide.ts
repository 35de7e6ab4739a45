import { trusted } from '@/server/trusted';

/**
 * A value that a process makes once, at the first call. The bundles of the server may each hold a copy of a module,
 * with variables of its own. So such a value is in a place that all of them share. Each value has its own name.
 */
export function processWide<Value extends object>(name: string, make: () => Value): () => Value {
  const place = Symbol.for(`quittance.${name}`);
  return () => {
    const known: unknown = Reflect.get(globalThis, place);
    if (known) return trusted<Value>(known, 'only this function writes there');
    const made = make();
    Reflect.set(globalThis, place, made);
    return made;
  };
}
