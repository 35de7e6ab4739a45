'use client';

import { useId, useRef, useState, type KeyboardEvent, type ReactNode } from 'react';
import styles from './tabs.module.css';

export type Tab = { id: string; label: string; content: ReactNode };

type TabsProps = {
  tabs: readonly Tab[];
  label: string;
  /** The id of the tab, if the page keeps it. Another id selects the first tab. */
  selected?: string;
  onSelect?: (id: string) => void;
};

/**
 * One panel of several. Arrow keys, Home and End move between the tabs, and the panel follows the
 * focus. Only the selected panel is in the page, so a panel that must not forget its entries keeps
 * them elsewhere.
 */
export function Tabs({ tabs, label, selected, onSelect }: TabsProps) {
  const prefix = useId();
  const [own, setOwn] = useState(tabs[0]?.id);
  const select = onSelect ?? setOwn;
  const buttons = useRef(new Map<string, HTMLButtonElement>());
  const current = tabs.find((tab) => tab.id === (selected ?? own)) ?? tabs[0];
  if (!current) return null;
  const move = (event: KeyboardEvent) => {
    const at = tabs.indexOf(current);
    const to = goTo(event.key, at, tabs.length);
    const tab = to === null ? undefined : tabs[to];
    if (!tab) return;
    event.preventDefault();
    select(tab.id);
    buttons.current.get(tab.id)?.focus();
  };
  return (
    <div>
      <div role="tablist" aria-label={label} className={styles['list']}>
        {tabs.map((tab) => (
          <button
            key={tab.id}
            ref={(button) => {
              if (button) buttons.current.set(tab.id, button);
              else buttons.current.delete(tab.id);
            }}
            type="button"
            role="tab"
            id={`${prefix}-tab-${tab.id}`}
            className={styles['tab']}
            aria-selected={tab === current}
            aria-controls={tab === current ? `${prefix}-panel-${tab.id}` : undefined}
            tabIndex={tab === current ? 0 : -1}
            onClick={() => select(tab.id)}
            onKeyDown={move}
          >
            {tab.label}
          </button>
        ))}
      </div>
      <div
        role="tabpanel"
        id={`${prefix}-panel-${current.id}`}
        aria-labelledby={`${prefix}-tab-${current.id}`}
        className={styles['panel']}
        tabIndex={0}
      >
        {current.content}
      </div>
    </div>
  );
}

function goTo(key: string, at: number, count: number): number | null {
  if (key === 'ArrowRight') return (at + 1) % count;
  if (key === 'ArrowLeft') return (at - 1 + count) % count;
  if (key === 'Home') return 0;
  return key === 'End' ? count - 1 : null;
}
