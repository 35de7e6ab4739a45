import { NextResponse, type NextRequest } from 'next/server';
import { MOBILE_STYLES, usesMobileWallets } from './components/wallet/mobile-policy';

/**
 * Gives every page a Content-Security-Policy with a nonce of its own: only scripts and styles that the
 * server itself put there run, and the page talks to nobody but this service. Next.js reads the nonce out
 * of the request's copy of the policy and writes it on its own tags.
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
 * `npm run dev` replaces code while it runs, which needs eval, inline styles and a socket. On Android a wallet app
 * answers at a port of the phone itself, which the Mobile Wallet Adapter draws at random, and its library brings
 * four style sheets of its own.
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
    // Wallets bring their icons as data.
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
 * Pages, and addresses of none that a browser opens (`rsc`: from one page to the next). REST paths have a policy of
 * their own that allows nothing, and must not pay for this; what is named by mistake or forgotten here only gets the
 * policy of a page. Next.js reads this list as it stands, before anything is compiled.
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
