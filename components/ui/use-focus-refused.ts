import { useEffect, useRef, type RefObject } from 'react';

/** Moves the focus to the first invalid field of a form, at each new value of `refused`. */
export function useFocusRefused<Form extends HTMLElement>(
  refused: unknown,
): RefObject<Form | null> {
  const form = useRef<Form>(null);
  useEffect(() => {
    form.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus();
  }, [refused]);
  return form;
}
