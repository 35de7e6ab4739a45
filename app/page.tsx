import { CreatePage } from '@/components/create/create-page';
import { Offer, Steps } from '@/components/create/how-it-works';
import { NeedsScript } from '@/components/needs-script';
import type { Metadata } from 'next';
import { getLocale, getTranslations } from 'next-intl/server';
import { Texts } from '@/i18n/texts';
import { pageCaller } from '@/server/api/page-caller';
import { withPreview } from './with-preview';

export async function generateMetadata(): Promise<Metadata> {
  const description = (await getTranslations('home'))('description');
  return {
    ...withPreview('/', { title: 'Quittance', description }),
    title: { absolute: 'Quittance' },
  };
}

export default async function HomePage() {
  const t = await getTranslations('home');
  const caller = await pageCaller();
  const [countries, { routes }] = await Promise.all([
    caller.web.countries(),
    caller.payments.pricing(),
  ]);
  // Named here, because servers and browsers know different names.
  const names = new Intl.DisplayNames(await getLocale(), { type: 'region' });
  const words = new Map([
    ['/mint', { title: t('receipt'), rule: t('rule.mint') }],
    ['/statement', { title: t('statement'), rule: t('rule.statement') }],
  ]);
  return (
    <main className="wide">
      <NeedsScript />
      <Texts of={['create', 'labels', 'order', 'progress']}>
        <CreatePage
          countries={countries.map(({ code, currency }) => ({
            value: code,
            label: `${code === 'EU' ? t('euroArea') : (names.of(code) ?? code)} (${currency})`,
          }))}
          heading={
            <div className="stack">
              <h1 className="display">{t('title')}</h1>
              <p className="lead">{t('lead')}</p>
            </div>
          }
          steps={<Steps />}
          offer={
            <Offer
              prices={routes.map(({ path, rule }) => words.get(path) ?? { title: path, rule })}
            />
          }
        />
      </Texts>
    </main>
  );
}
