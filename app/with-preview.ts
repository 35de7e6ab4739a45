import type { Metadata } from 'next';
import { env } from '@/server/env';

/**
 * Metadata of a page with its image for links. Addresses are those of PUBLIC_URL, whatever name a request
 * came by: a page behind a proxy must not name the proxy's inside.
 */
export function withPreview(path: string, page: { title: string; description: string }): Metadata {
  const { title, description } = page;
  const url = `${env().publicUrl}${path === '/' ? '' : path}`;
  const images = [{ url: `${url}/card.png`, width: 1200, height: 630, alt: description }];
  return {
    title,
    description,
    alternates: { canonical: url },
    openGraph: { title, description, url, images, siteName: 'Quittance', type: 'website' },
    twitter: { card: 'summary_large_image', title, description, images },
  };
}
