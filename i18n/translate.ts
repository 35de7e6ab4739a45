import type { useTranslations } from 'next-intl';
import type { Folder } from './messages';

/**
 * Returns the texts of a file, for code outside of components: `const t =
 * useTranslations('proof')`.
 */
export type Translate<F extends Folder> = ReturnType<typeof useTranslations<F>>;
