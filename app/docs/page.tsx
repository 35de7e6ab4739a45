import type { Metadata } from 'next';
import { EnglishNote } from '@/components/english-note';
import styles from '@/components/docs/docs.module.css';
import { Operations } from '@/components/docs/operations';
import { REFERENCE } from '@/components/docs/reference';
import { withPreview } from '../with-preview';
import { env } from '@/server/env';
import { curlLine } from '@/server/rest/openapi/curl-line';
import { OPERATIONS } from '@/server/rest/operations/operations';
import { Start } from './start';

export function generateMetadata(): Metadata {
  return withPreview('/docs', {
    title: 'API reference',
    description: 'Every path of the service, with examples that run and how to fix every error.',
  });
}

export default function DocsPage() {
  const { publicUrl, serviceName, operator } = env();
  const curls = Object.fromEntries(
    OPERATIONS.filter(({ tag }) => REFERENCE.tags.includes(tag)).map((one) => [
      one.id,
      curlLine(one, publicUrl),
    ]),
  );
  return (
    <main className="wide" lang="en">
      <EnglishNote />
      <div className={styles['page']}>
        <nav className={styles['contents']} aria-label="Contents">
          <ul>
            <li>
              <a href="#start">Start</a>
            </li>
            <li>
              <a href="#first">First receipt in five minutes</a>
            </li>
            <li>
              <a href="#paying">Paying</a>
            </li>
            {REFERENCE.rules.map(({ id, title }) => (
              <li key={id}>
                <a href={`#${id}`}>{title}</a>
              </li>
            ))}
          </ul>
          {REFERENCE.tags.map((tag) => (
            <div key={tag}>
              <strong>{tag}</strong>
              <ul>
                {REFERENCE.operations
                  .filter((operation) => operation.tag === tag)
                  .map((operation) => (
                    <li key={operation.id}>
                      <a href={`#${operation.id}`}>{operation.summary}</a>
                    </li>
                  ))}
              </ul>
            </div>
          ))}
          <ul>
            <li>
              <a href="#errors">Errors</a>
            </li>
          </ul>
        </nav>
        <div className="stack">
          <Start {...{ publicUrl, serviceName, operator }} />
          <Operations curls={curls} />
        </div>
      </div>
    </main>
  );
}
