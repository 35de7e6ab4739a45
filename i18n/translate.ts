import type { useTranslations } from 'next-intl';
import type { Folder } from './messages';

/** Gives the texts of a file, for code that is no component: `const t = useTranslations('proof')`. */
export type Translate<F extends Folder> = ReturnType<typeof useTranslations<F>>;
