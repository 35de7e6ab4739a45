import type crash from '@/messages/en/crash.json';
import type create from '@/messages/en/create.json';
import type dashboard from '@/messages/en/dashboard.json';
import type errors from '@/messages/en/errors.json';
import type frame from '@/messages/en/frame.json';
import type home from '@/messages/en/home.json';
import type labels from '@/messages/en/labels.json';
import type order from '@/messages/en/order.json';
import type progress from '@/messages/en/progress.json';
import type proof from '@/messages/en/proof.json';
import type reasons from '@/messages/en/reasons.json';
import type receipt from '@/messages/en/receipt.json';
import type statement from '@/messages/en/statement.json';
import type ui from '@/messages/en/ui.json';
import type wallet from '@/messages/en/wallet.json';

/** All texts of the pages, by their file. The English files define the keys. */
export type Messages = {
  crash: typeof crash;
  create: typeof create;
  dashboard: typeof dashboard;
  errors: typeof errors;
  frame: typeof frame;
  home: typeof home;
  labels: typeof labels;
  order: typeof order;
  progress: typeof progress;
  proof: typeof proof;
  reasons: typeof reasons;
  receipt: typeof receipt;
  statement: typeof statement;
  ui: typeof ui;
  wallet: typeof wallet;
};

/** A file of `messages/<language>`. */
export type Folder = keyof Messages;

const FILES = {
  crash: true,
  create: true,
  dashboard: true,
  errors: true,
  frame: true,
  home: true,
  labels: true,
  order: true,
  progress: true,
  proof: true,
  reasons: true,
  receipt: true,
  statement: true,
  ui: true,
  wallet: true,
} satisfies Record<Folder, true>;

/** The names of all files of a language. */
export const FOLDERS = Object.keys(FILES);

declare module 'next-intl' {
  interface AppConfig {
    Messages: Messages;
  }
}
