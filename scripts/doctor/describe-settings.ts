import type { Env } from '@/server/env';

/** The parsed settings. Keys appear as their public half, passwords and tokens not at all. */
export function describeSettings(env: Env): [name: string, value: string][] {
  return [
    ['NETWORK', env.network],
    ['SERVICE_NAME', env.serviceName],
    ['OPERATOR_NAME', env.operator.name],
    ['OPERATOR_CONTACT', env.operator.contact],
    ['PUBLIC_URL', env.publicUrl],
    ['PORT', String(env.port)],
    ['DATABASE_URL', maskUrl(env.databaseUrl)],
    ['DATABASE_POOL', String(env.databasePool)],
    ['SOLANA_RPC_URLS', env.rpcUrls.map(maskUrl).join(', ')],
    ['SOLANA_RPC_TIMEOUT_MS', String(env.rpcTimeoutMs)],
    ['STORAGE_UPLOAD_URL', maskUrl(env.storageUploadUrl)],
    ['STORAGE_GATEWAY_URL', maskUrl(env.storageGatewayUrl)],
    ['INNGEST_BASE_URL', maskUrl(env.jobsUrl)],
    ['INNGEST_EVENT_KEY', env.jobsEventKey === null ? 'not set' : 'set'],
    ['INNGEST_SIGNING_KEY', env.jobsSigningKey === null ? 'not set' : 'set'],
    ['INNGEST_SERVE_ORIGIN', env.jobsServeOrigin],
    ['INNGEST_CHECKPOINTING', env.jobsCheckpointing ? '1' : '0'],
    ['MINTER_KEY', `public key ${env.minter.publicKey}`],
    ['STORAGE_KEY', `public key ${env.storage.publicKey}`],
    ['PAY_TO', env.payTo],
    ['FEE_PAYER_KEY', `public key ${env.feePayer.publicKey}`],
    ['ADMIN_TOKEN', env.adminToken === null ? 'not set' : 'set'],
    ['ADMIN_TOKENS', env.namedOperators.map(({ actor }) => actor).join(', ') || 'none'],
    ['MINT_PRIORITY_FEE_MICROLAMPORTS', String(env.mintPriorityFeeMicroLamports)],
    ['FROZEN_RECEIPTS', env.frozenReceipts ? '1' : '0'],
    ['RATES_URL', `${maskUrl(env.rates.url)} (${env.rates.ecbName}; ${env.rates.name})`],
    ['RATES_DATED_URL', `${maskUrl(env.rates.datedUrl)} (${env.rates.datedName})`],
    ['SOL_PRICE_URL', `${maskUrl(env.rates.solUrl)} (${env.rates.solName})`],
    ['LOG_LEVEL', env.logLevel],
    ['QUITTANCE_DATA_DIR', env.dataDir],
  ];
}

/**
 * A URL without its password. Path and query of a web address are cut, because providers put their
 * keys there.
 */
export function maskUrl(text: string): string {
  const url = new URL(text);
  const user = url.username === '' ? '' : `${url.username}${url.password === '' ? '' : ':***'}@`;
  const rest = `${url.pathname}${url.search}`;
  const isWeb = url.protocol.startsWith('http');
  const shown = isWeb ? (rest.length > 1 ? '/***' : '') : url.pathname;
  return `${url.protocol}//${user}${url.host}${shown}`;
}
