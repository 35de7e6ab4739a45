'use client';

import { Button } from '../ui/button';
import { useToast } from '../ui/toast';
import styles from './docs.module.css';

/** Code as it is run, with a button that copies it. */
export function CodeBlock({ code, label }: { code: string; label: string }) {
  const toast = useToast();
  const copy = () =>
    navigator.clipboard.writeText(code).then(
      () => toast(`${label} copied`),
      () => toast('The browser did not allow copying. Select the text instead.'),
    );
  return (
    <div>
      <div className={styles['copy']}>
        <Button size="small" variant="quiet" aria-label={`Copy: ${label}`} onClick={copy}>
          Copy
        </Button>
      </div>
      <pre className={styles['code']} tabIndex={0} aria-label={label}>
        {code}
      </pre>
    </div>
  );
}
