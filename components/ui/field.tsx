import { useTranslations } from 'next-intl';
import {
  useId,
  type InputHTMLAttributes,
  type ReactNode,
  type SelectHTMLAttributes,
  type TextareaHTMLAttributes,
} from 'react';
import { classNames } from './class-names';
import { useEarlyEntry } from './use-early-entry';
import styles from './field.module.css';
import { Sign } from './sign';

type Words = {
  label: string;
  /** Hides the label if the surroundings already say it. Screen readers still read it. */
  hideLabel?: boolean;
  help?: ReactNode;
  /** The problem with the value, and how to fix it. */
  error?: ReactNode;
};

/** A value that the page keeps. */
type Kept = { value: string; onValue: (value: string) => void };

type FieldProps = Words & {
  /** Addresses, signatures and ids use letters of equal width. */
  mono?: boolean;
  size?: 'normal' | 'small';
  /** Says that the field may stay empty. */
  optional?: boolean;
} & Omit<InputHTMLAttributes<HTMLInputElement>, 'size' | 'onChange' | 'value'> &
  (Kept | { value?: never; onValue?: never; defaultValue: string });

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
  onValue,
  ...rest
}: FieldProps) {
  const ref = useEarlyEntry<HTMLInputElement>(rest.value, onValue);
  const ids = useIds(rest.id, { help, error });
  return (
    <Frame {...{ label, hideLabel, help, error, ids, optional }}>
      <input
        autoComplete="off"
        spellCheck={false}
        // Text starts at the side of its own script. Addresses are always left to right.
        dir={mono ? 'ltr' : 'auto'}
        {...rest}
        ref={ref}
        onChange={onValue && (({ target }) => onValue(target.value))}
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
} & Kept &
  Omit<SelectHTMLAttributes<HTMLSelectElement>, 'size' | 'children' | 'onChange' | 'value'>;

/**
 * One of a list. It uses the browser's own control, which every keyboard and screen reader
 * supports.
 */
export function Select({
  label,
  hideLabel,
  help,
  error,
  options,
  size = 'normal',
  className,
  onValue,
  ...rest
}: SelectProps) {
  // Without an option for its value, a control shows its first one.
  const isListed = options.some((option) => option.value === rest.value);
  const ref = useEarlyEntry<HTMLSelectElement>(isListed ? rest.value : undefined, onValue);
  const ids = useIds(rest.id, { help, error });
  return (
    <Frame {...{ label, hideLabel, help, error, ids }}>
      <select
        {...rest}
        ref={ref}
        onChange={({ target }) => onValue(target.value)}
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

type TextAreaProps = Words & TextareaHTMLAttributes<HTMLTextAreaElement>;

/** Several lines of JSON or code with their label, help and error. */
export function TextArea({ label, hideLabel, help, error, className, ...rest }: TextAreaProps) {
  const ids = useIds(rest.id, { help, error });
  return (
    <Frame {...{ label, hideLabel, help, error, ids }}>
      <textarea
        autoComplete="off"
        spellCheck={false}
        {...rest}
        id={ids.control}
        className={classNames(
          styles['input'],
          styles['mono'],
          styles['small'],
          styles['area'],
          className,
        )}
        aria-invalid={error ? true : undefined}
        aria-describedby={ids.describedBy}
      />
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
