import { useEffect, useState } from 'react';

/** How long a value must stay the same, in ms. */
const SETTLED_MS = 400;

/** A value after it has stayed the same for a moment, such as a text after a pause in typing. */
export function useSettled<Value>(value: Value): Value {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(() => value), SETTLED_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}
