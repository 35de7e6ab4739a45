import { NextResponse, type NextRequest } from 'next/server';
import { MOBILE_STYLES, usesMobileWallets } from './components/wallet/mobile-policy';

/**
 * Gives every page a Content-Security-Policy with a new nonce. Only scripts and styles from this server run, and
 * the page connects only to this service. Next.js reads the nonce from the request's copy of the policy and writes
 * it on its own tags.
 */
export function proxy(request: NextRequest): NextResponse {
  const nonce = Buffer.from(crypto.getRandomValues(new Uint8Array(16))).toString('base64');
  const policy = policyOf(nonce, {
    isDevelopment: process.env.NODE_ENV === 'development',
    isAndroid: usesMobileWallets(request.headers.get('user-agent')),
  });
  const headers = new Headers(request.headers);
  headers.set('x-nonce', nonce);
  headers.set('content-security-policy', policy);
  const response = NextResponse.next({ request: { headers } });
  response.headers.set('content-security-policy', policy);
  return response;
}

/**
 * `npm run dev` replaces running code, which needs eval, inline styles and a socket. On Android a wallet app
 * answers at a random port of the phone itself, chosen by the Mobile Wallet Adapter, and the adapter's library
 * has four style sheets.
 */
function policyOf(nonce: string, o: { isDevelopment: boolean; isAndroid: boolean }): string {
  const { isDevelopment, isAndroid } = o;
  const sockets = `${isDevelopment ? ' ws:' : ''}${isAndroid ? ' ws://localhost:*' : ''}`;
  const sheets = isAndroid ? MOBILE_STYLES.map((hash) => ` '${hash}'`).join('') : '';
  return [
    `default-src 'self'`,
    `script-src 'self' 'nonce-${nonce}' 'strict-dynamic'${isDevelopment ? " 'unsafe-eval'" : ''}`,
    isDevelopment
      ? `style-src 'self' 'unsafe-inline'`
      : `style-src 'self' 'nonce-${nonce}'${sheets}`,
    // Wallets provide their icons as data.
    `img-src 'self' data: blob:`,
    `font-src 'self'`,
    `connect-src 'self'${sockets}`,
    `object-src 'none'`,
    `base-uri 'none'`,
    `form-action 'self'`,
    `frame-ancestors 'none'`,
    `frame-src 'none'`,
  ].join('; ');
}

/**
 * Pages, and unknown addresses that a browser opens (`rsc`: from one page to the next). REST paths have another policy
 * that allows nothing, and should not pay the cost of this one. A path that is wrongly listed or missing here only gets
 * the policy of a page. Next.js reads this list literally, before anything is compiled.
 */
export const config = {
  matcher: [
    '/',
    '/docs',
    '/terms',
    '/privacy',
    '/dashboard',
    '/statements',
    '/r/:id',
    '/s/:id',
    {
      source:
        '/((?!api/|_next/|mint|verify/|calculate/|receipt/|wallet/|statement(?:/|$)|register|admin|payments/|pricing|health|metrics|version|dashboard/receipts\\.csv|(?:[rs]/[^/]+/|docs/)?card\\.png|webhooks/|openapi\\.json|llms\\.txt|\\.well-known/|bad-request/|icon\\.svg|icon-|apple-touch-icon|site\\.webmanifest|favicon\\.ico|robots\\.txt).*)',
      has: [{ type: 'header', key: 'accept', value: '.*text/html.*' }],
    },
    {
      source:
        '/((?!api/|_next/|mint|verify/|calculate/|receipt/|wallet/|statement(?:/|$)|register|admin|payments/|pricing|health|metrics|version|dashboard/receipts\\.csv|(?:[rs]/[^/]+/|docs/)?card\\.png|webhooks/|openapi\\.json|llms\\.txt|\\.well-known/|bad-request/|icon\\.svg|icon-|apple-touch-icon|site\\.webmanifest|favicon\\.ico|robots\\.txt).*)',
      has: [{ type: 'header', key: 'rsc' }],
    },
  ],
};
