import { apiSections } from './api-section';
import { metricsSections } from './metrics-section';
import { modulesSections } from './modules-section';
import { fillPages, type Page } from './sections';
import { settingsSections } from './settings-section';

/** Every page that has a generated part, with that part as the code wants it. */
export function generatedPages(): Promise<Page[]> {
  return fillPages([
    ...apiSections(),
    ...settingsSections(),
    ...metricsSections(),
    ...modulesSections(),
  ]);
}
