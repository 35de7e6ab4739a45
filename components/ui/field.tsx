import { useTranslations } from 'next-intl';
import { useId, type InputHTMLAttributes, type ReactNode, type SelectHTMLAttributes } from 'react';
import { classNames } from './class-names';
import styles from './field.module.css';
import { Sign } from './sign';

type Words = {
  label: string;
  /** Hide the label where the place says it already; screen readers still read it. */
  hideLabel?: boolean;
  help?: ReactNode;
  /** What is wrong with the value and how to fix it. */
  error?: ReactNode;
};

type FieldProps = Words & {
  /** Addresses, signatures and ids stand in letters of equal width. */
  mono?: boolean;
  size?: 'normal' | 'small';
  /** Say that it may be left empty. */
  optional?: boolean;
} & Omit<InputHTMLAttributes<HTMLInputElement>, 'size'>;

/** One line of text with its label, help and error. */
export function Field({
  label,
  hideLabel,
  help,
  error,
  mono = false,
  size = 'normal',
  optional = false,
  className,
  ...rest
}: FieldProps) {
  const ids = useIds(rest.id, { help, error });
  return (
    <Frame {...{ label, hideLabel, help, error, ids, optional }}>
      <input
        autoComplete="off"
        spellCheck={false}
        {...rest}
        id={ids.control}
        className={classNames(
          styles['input'],
          mono && styles['mono'],
          size === 'small' && styles['small'],
          className,
        )}
        aria-invalid={error ? true : undefined}
        aria-describedby={ids.describedBy}
      />
    </Frame>
  );
}

type SelectProps = Words & {
  options: readonly { value: string; label: string }[];
  size?: 'normal' | 'small';
} & Omit<SelectHTMLAttributes<HTMLSelectElement>, 'size' | 'children'>;

/** One of a list. The browser's own control: it is the one that every keyboard and reader knows. */
export function Select({
  label,
  hideLabel,
  help,
  error,
  options,
  size = 'normal',
  className,
  ...rest
}: SelectProps) {
  const ids = useIds(rest.id, { help, error });
  return (
    <Frame {...{ label, hideLabel, help, error, ids }}>
      <select
        {...rest}
        id={ids.control}
        className={classNames(styles['input'], size === 'small' && styles['small'], className)}
        aria-invalid={error ? true : undefined}
        aria-describedby={ids.describedBy}
      >
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
    </Frame>
  );
}

type Ids = { control: string; help: string; error: string; describedBy: string | undefined };

function Frame(
  o: Words & {
    ids: Ids;
    optional?: boolean;
    hideLabel?: boolean | undefined;
    children: ReactNode;
  },
) {
  const t = useTranslations('ui');
  return (
    <div className={styles['field']}>
      <label htmlFor={o.ids.control} className={o.hideLabel ? 'unseen' : styles['label']}>
        {o.label}
        {o.optional ? <span className={styles['optional']}> {t('optional')}</span> : null}
      </label>
      {o.children}
      {o.help ? (
        <div id={o.ids.help} className={styles['help']}>
          {o.help}
        </div>
      ) : null}
      <div id={o.ids.error} role="alert" className={o.error ? styles['error'] : undefined}>
        {o.error ? (
          <>
            <Sign name="warning" />
            {o.error}
          </>
        ) : null}
      </div>
    </div>
  );
}

function useIds(given: string | undefined, o: Pick<Words, 'help' | 'error'>): Ids {
  const made = useId();
  const control = given ?? made;
  const [help, error] = [`${control}-help`, `${control}-error`];
  const describedBy = [o.help ? help : null, o.error ? error : null].filter(Boolean).join(' ');
  return { control, help, error, describedBy: describedBy || undefined };
}
