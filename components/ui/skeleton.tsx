import { classNames } from './class-names';
import styles from './skeleton.module.css';

/** The shape of text that is being loaded. */
export function Skeleton({ lines = 3, label }: { lines?: number; label: string }) {
  return (
    <div role="status">
      <span className="unseen">{label}</span>
      {Array.from({ length: lines }, (_, line) => (
        <span key={line} className={classNames(styles['skeleton'], styles['line'])} />
      ))}
    </div>
  );
}
