import bs58 from 'bs58';
import { apiClient, withHeaders } from '../api-client';
import type { Signer } from '../wallet/signer';

export type RegistrationTexts = { business_name: string; country: string; service_type: string };

/**
 * Lets the wallet sign a registration (or, without texts, its end) and sends it. The signed text is
 * that of POST /register: the service, the wallet, the hash of the canonical JSON body, and the
 * time. False if the wallet cannot sign texts.
 */
export async function sendRegistration(o: {
  serviceName: string;
  signer: Signer;
  texts: RegistrationTexts | null;
}): Promise<boolean> {
  const { serviceName, signer, texts } = o;
  const wallet = signer.address;
  const time = new Date().toISOString();
  // Keys in the order of RFC 8785. For plain texts, canonical JSON needs nothing else.
  const body = texts && {
    business_name: texts.business_name,
    country: texts.country,
    service_type: texts.service_type,
    wallet_address: wallet,
  };
  const text = body
    ? `${serviceName}:register:${wallet}:${await sha256(JSON.stringify(body))}:${time}`
    : `${serviceName}:unregister:${wallet}:${time}`;
  if (!signer.signMessage) return false;
  const signature = await signer.signMessage(new TextEncoder().encode(text));
  const headers = {
    'x-wallet-address': wallet,
    'x-wallet-signature': bs58.encode(signature),
    'x-wallet-time': time,
  };
  const options = { context: withHeaders(headers) };
  if (body) await apiClient.registrations.register.mutate(body, options);
  else await apiClient.registrations.unregister.mutate(undefined, options);
  return true;
}

async function sha256(text: string): Promise<string> {
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return [...new Uint8Array(hash)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
