'use client';

import { useState, type FormEvent } from 'react';
import { Button } from '../ui/button';
import { Field } from '../ui/field';
import styles from './docs.module.css';

export type TryParameter = {
  name: string;
  in: 'path' | 'query';
  required: boolean;
  example: string;
};

/** Longest answer that is shown whole. */
const MOST_LETTERS = 20_000;

/** Sends a free request of the reference from the page, and shows what comes back. */
export function TryIt({ path, parameters }: { path: string; parameters: readonly TryParameter[] }) {
  const [values, setValues] = useState<Readonly<Record<string, string>>>({});
  const [answer, setAnswer] = useState<{ status: number; text: string } | null>(null);
  const [busy, setBusy] = useState(false);
  const url = urlOf(path, parameters, values);
  const send = async (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    try {
      const response = await fetch(url);
      setAnswer({ status: response.status, text: await readable(response) });
    } catch {
      setAnswer({ status: 0, text: 'The service did not answer. Check your connection.' });
    } finally {
      setBusy(false);
    }
  };
  return (
    <form className="stack" onSubmit={send} aria-label={`Try ${path}`}>
      {parameters.map(({ name, required, example }) => (
        <Field
          key={name}
          label={name}
          size="small"
          mono
          optional={!required}
          required={required}
          placeholder={example}
          value={values[name] ?? ''}
          onChange={(event) => {
            const { value } = event.target;
            setValues((before) => ({ ...before, [name]: value.trim() }));
          }}
        />
      ))}
      <div>
        <Button size="small" type="submit" busy={busy}>
          Send request
        </Button>
      </div>
      {answer ? (
        <div role="status">
          <p className="small muted">
            {answer.status === 0 ? 'No answer' : `Answer: ${answer.status}`}
          </p>
          <pre className={styles['code']} tabIndex={0} aria-label="Answer">
            {answer.text}
          </pre>
        </div>
      ) : null}
    </form>
  );
}

function urlOf(
  path: string,
  parameters: readonly TryParameter[],
  values: Readonly<Record<string, string>>,
): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(values[name] ?? ''),
  );
  const query = new URLSearchParams(
    parameters.flatMap(({ name, in: place }): [string, string][] => {
      const value = values[name] ?? '';
      return place === 'query' && value !== '' ? [[name, value]] : [];
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
