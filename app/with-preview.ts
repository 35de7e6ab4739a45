import type { Metadata } from 'next';
import { env } from '@/server/env';

/**
 * Metadata of a page with its image for link previews. Addresses are those of PUBLIC_URL, whatever
 * host a request named, because a page must not reveal a host name behind the proxy.
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
