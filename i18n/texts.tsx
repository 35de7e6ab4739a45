import { getMessages } from 'next-intl/server';
import type { ReactNode } from 'react';
import { AddTexts } from './add-texts';
import type { Folder } from './messages';

/**
 * Gives the client components below it the texts of some files. A browser gets no other texts, so
 * name only the files that these components use. Every page has the files of the root layout.
 */
export async function Texts(o: { of: readonly Folder[]; children: ReactNode }) {
  const all = await getMessages();
  return (
    <AddTexts messages={Object.fromEntries(o.of.map((folder) => [folder, all[folder]]))}>
      {o.children}
    </AddTexts>
  );
}
