'use client';

import { useId, useRef, useState, type KeyboardEvent, type ReactNode } from 'react';
import styles from './tabs.module.css';

export type Tab = { id: string; label: string; content: ReactNode };

/** One panel of several. Arrow keys, Home and End go between the tabs; the panel follows the focus. */
export function Tabs({ tabs, label }: { tabs: readonly Tab[]; label: string }) {
  const prefix = useId();
  const [selected, setSelected] = useState(tabs[0]?.id);
  const buttons = useRef(new Map<string, HTMLButtonElement>());
  const current = tabs.find((tab) => tab.id === selected) ?? tabs[0];
  if (!current) return null;
  const move = (event: KeyboardEvent) => {
    const at = tabs.indexOf(current);
    const to = goTo(event.key, at, tabs.length);
    const tab = to === null ? undefined : tabs[to];
    if (!tab) return;
    event.preventDefault();
    setSelected(tab.id);
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
            onClick={() => setSelected(tab.id)}
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
