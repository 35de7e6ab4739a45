import { expect, type Page } from '@playwright/test';
import { z } from 'zod';
import { findNode, focusOf, isNamed, openTree, readTree, type AxNode } from './ax-tree';
import { listenInPage, type Said } from './listen-in-page';

const answer = z.object({ result: z.object({ value: z.string() }) });
const resolved = z.object({ object: z.object({ objectId: z.string() }) });

/** A page for a listener: finds parts by role and name, presses keys, and listens. */
export type Reader = {
  find: (role: string, name: string | RegExp) => Promise<AxNode>;
  /** Whether there is a part of this role and name now. */
  has: (role: string, name: string | RegExp) => Promise<boolean>;
  /** Moves to it and presses a key, Enter by default. */
  press: (role: string, name: string | RegExp, key?: string) => Promise<void>;
  /** Moves to a field and replaces its text. */
  write: (name: string, text: string) => Promise<void>;
  /** The element with the focus: `role | name | description`. */
  focus: () => Promise<string>;
  /** The announcements so far. */
  heard: () => Promise<string[]>;
  /** Waits until this was announced. */
  hears: (words: string | RegExp) => Promise<void>;
  /**
   * Texts of regions that no screen reader passes on: they came with their text, or were behind a
   * dialog.
   */
  missed: () => string[];
  /** Words of the page in reading order. */
  words: () => Promise<string[]>;
};

/** Reads a page by Chromium's accessibility tree alone. */
export async function hearPage(page: Page): Promise<Reader> {
  const session = await openTree(page);
  const said: Said[] = [];
  const regions = new Set<string>();
  await page.exposeFunction('__axSaid', (one: Said) => void said.push(one));
  // The compiler of this file names functions through a helper that a page does not have.
  const content = `{const __name = (f) => f; (${listenInPage.toString()})()}`;
  await page.addInitScript({ content });
  await page.evaluate(content);

  /** Fails when the page has changed since. */
  const nameOf = async (backendNodeId: number): Promise<string> => {
    const { object } = resolved.parse(await session.send('DOM.resolveNode', { backendNodeId }));
    const called = await session.send('Runtime.callFunctionOn', {
      objectId: object.objectId,
      functionDeclaration: 'function () { return window.__axRegion(this); }',
      returnByValue: true,
    });
    return answer.parse(called).result.value;
  };
  /** A region counts if the accessibility tree has it as one. */
  const noteRegions = async (nodes: readonly AxNode[]) => {
    for (const { backendNodeId } of nodes.filter(({ isRegion }) => isRegion)) {
      const region = await nameOf(backendNodeId).catch(() => '');
      regions.add(region);
    }
  };
  const read = async () => {
    const nodes = await readTree(session);
    await noteRegions(nodes);
    return nodes;
  };
  const heard = async () => {
    await read();
    return said
      .filter(({ isHeard, region }) => isHeard && regions.has(region))
      .map(({ text }) => text);
  };
  const goTo = async (role: string, name: string | RegExp) => {
    const { backendNodeId, is } = await findNode(session, role, name);
    if (!is('focusable')) throw new Error(`no key reaches the ${role} ${String(name)}`);
    await session.send('DOM.focus', { backendNodeId });
  };
  return {
    heard,
    find: (role, name) => findNode(session, role, name),
    has: async (role, name) => (await read()).some((one) => isNamed(one, role, name)),
    press: async (role, name, key = 'Enter') => {
      await goTo(role, name);
      await page.keyboard.press(key);
    },
    write: async (name, text) => {
      await goTo('textbox', name);
      await page.keyboard.press('ControlOrMeta+A');
      await page.keyboard.press('Delete');
      await page.keyboard.insertText(text);
    },
    focus: async () => focusOf(await read()),
    hears: (words) =>
      expect
        .poll(heard, { message: `hears ${String(words)}`, timeout: 60_000, intervals: [200] })
        .toContainEqual(typeof words === 'string' ? words : expect.stringMatching(words)),
    missed: () => {
      const passedOn = new Set(said.filter(({ isHeard }) => isHeard).map(({ text }) => text));
      return said.map(({ text }) => text).filter((text) => !passedOn.has(text));
    },
    words: async () =>
      (await read()).filter(({ role }) => role === 'StaticText').map(({ name }) => name),
  };
}

/** Connects the test wallet through the dialog, by the button of this name. */
export async function connectByEar(reader: Reader, button = 'Connect wallet'): Promise<void> {
  await reader.press('button', button);
  await reader.press('button', 'Test Wallet');
  await reader.hears(/^Connected wallet: Test Wallet /);
}
