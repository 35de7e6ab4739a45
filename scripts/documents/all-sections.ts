import { apiSections } from './api-section';
import { metricsSections } from './metrics-section';
import { modulesSections } from './modules-section';
import { referencePage } from './reference-page';
import { fillPages, type Page } from './sections';
import { settingsSections } from './settings-section';

/** Every file with a generated part, with the current text of that part. */
export async function generatedPages(): Promise<Page[]> {
  const documents = await fillPages([
    ...apiSections(),
    ...settingsSections(),
    ...metricsSections(),
    ...modulesSections(),
  ]);
  return [...documents, await referencePage()];
}
