'use client';

import { useState, type FormEvent } from 'react';
import { Button } from '../ui/button';
import { Field, TextArea } from '../ui/field';
import { useBrowserValue } from '../ui/use-browser-value';
import styles from './docs.module.css';
import type { TryParameter } from './reference';

type TryItProps = {
  method: string;
  path: string;
  parameters: readonly TryParameter[];
  /** JSON that the body begins with; null for a request without a body. */
  body: string | null;
};

type Answer = { status: number; text: string };

/** The name of the text area. Parameters have names of the API, which hold no space. */
const BODY = 'request body';

/** Longest answer that is shown whole. */
const MOST_LETTERS = 20_000;

/** Sends a request of the reference from the page, without a payment or a signature, and shows the answer. */
export function TryIt({ method, path, parameters, body }: TryItProps) {
  const [answer, setAnswer] = useState<Answer | null>(null);
  const [busy, setBusy] = useState(false);
  const isAlive = useBrowserValue(() => true, false);
  const send = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    // Read from the form, which also holds a line typed before the code of the page had loaded.
    const typed = new FormData(event.currentTarget);
    const valueOf = (name: string) => String(typed.get(name) ?? '');
    setBusy(true);
    setAnswer(null);
    const url = urlOf(path, parameters, (name) => valueOf(name).trim());
    setAnswer(await ask(url, { method, body: body === null ? null : valueOf(BODY) }));
    setBusy(false);
  };
  return (
    // Until the code has loaded, a press of Enter would load the page again. With this method it does nothing.
    <form method="dialog" className="stack" onSubmit={send} aria-label={`Try ${method} ${path}`}>
      {parameters.map(({ name, required, example, isFilled }) => (
        <Field
          key={name}
          label={name}
          size="small"
          mono
          optional={!required}
          required={required}
          placeholder={example}
          name={name}
          defaultValue={isFilled ? example : ''}
        />
      ))}
      {body === null ? null : (
        <TextArea
          label="Body"
          name={BODY}
          defaultValue={body}
          // React would replace what was typed before its code had loaded.
          readOnly={!isAlive}
          help="Sent without a payment and without a wallet signature, so nothing is created or charged."
        />
      )}
      <div>
        <Button size="small" type="submit" busy={busy} disabled={!isAlive}>
          Send request
        </Button>
      </div>
      <p role="status" className="small muted">
        {answer && (answer.status === 0 ? 'No answer' : `Answer: ${answer.status}`)}
      </p>
      {answer ? (
        <pre className={styles['code']} tabIndex={0} aria-label={`Answer of ${path}`}>
          {answer.text}
        </pre>
      ) : null}
    </form>
  );
}

async function ask(url: string, o: { method: string; body: string | null }): Promise<Answer> {
  const { method, body } = o;
  const sent = body === null ? {} : { body, headers: { 'content-type': 'application/json' } };
  try {
    const response = await fetch(url, { method, ...sent });
    return { status: response.status, text: await readable(response) };
  } catch {
    return { status: 0, text: 'The service did not answer. Check your connection.' };
  }
}

function urlOf(
  path: string,
  parameters: readonly TryParameter[],
  valueOf: (name: string) => string,
): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(valueOf(name)));
  const query = new URLSearchParams(
    parameters.flatMap(({ name, inQuery }): [string, string][] => {
      const value = valueOf(name);
      return inQuery && value !== '' ? [[name, value]] : [];
    }),
  ).toString();
  return query === '' ? filled : `${filled}?${query}`;
}

async function readable(response: Response): Promise<string> {
  const type = response.headers.get('content-type') ?? '';
  if (type.startsWith('image/')) return `An image of ${(await response.blob()).size} bytes.`;
  const text = await response.text();
  if (!type.includes('json')) return text.slice(0, MOST_LETTERS);
  return JSON.stringify(JSON.parse(text), null, 2).slice(0, MOST_LETTERS);
}
