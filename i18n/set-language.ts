'use server';

import { cookies } from 'next/headers';
import { z } from 'zod';
import { LANGUAGE_COOKIE, LANGUAGES } from './locales';

const YEAR_S = 31_536_000;
const form = z.object({ language: z.enum(LANGUAGES) });

/** Remembers the language that a reader chose. The answer is the same page in that language. */
export async function setLanguage(data: FormData): Promise<void> {
  const read = form.safeParse({ language: data.get('language') });
  if (!read.success) return;
  (await cookies()).set(LANGUAGE_COOKIE, read.data.language, {
    path: '/',
    maxAge: YEAR_S,
    sameSite: 'lax',
  });
}
