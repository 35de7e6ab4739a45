import { z } from 'zod';
import { env } from '@/server/env';
import { issuerDocument } from '@quittance/verify/receipts/issuer-document';
import { healthBody, liveBody, readyBody, serveHealth, serveLive, serveReady } from '../health';
import { llmsText } from '../openapi/llms-text';
import { openapiDocument } from '../openapi/openapi-document';
import { COMMON_HEADERS, json } from '../respond';
import { securityText, serveMetrics, serveVersion, versionBody } from '../service-answers';
import { serveVerifier, serveVerifierHash } from '../serve-verifier';
import { body, file, type Operation } from './operation';

/** A short text as a whole file. */
const text = (content: string): Response =>
  new Response(content, {
    headers: { ...COMMON_HEADERS, 'Content-Type': 'text/plain; charset=utf-8' },
  });

/** What the service tells about itself. */
export const SERVICE_OPERATIONS: readonly Operation[] = [
  {
    id: 'readIssuer',
    method: 'get',
    path: '/.well-known/quittance.json',
    tag: 'Service',
    summary: 'Keys and trees to check a receipt against',
    description: 'With the dates between which each was in use.',
    parameters: [],
    answers: body('The issuer.', issuerDocument),
    errors: [],
    limit: 'reads',
    handler: async ({ caller }) =>
      json(200, await caller.issuer.read(), { 'Cache-Control': 'public, max-age=60' }),
  },
  {
    id: 'readSecurityText',
    method: 'get',
    path: '/.well-known/security.txt',
    tag: 'Service',
    summary: 'How to report a weakness',
    description: 'As RFC 9116 says.',
    parameters: [],
    answers: file('The text.', 'text/plain'),
    errors: [],
    limit: null,
    handler: async ({ ctx }) => text(securityText({ ...env(), now: ctx.service.clock.now() })),
  },
  {
    id: 'readVerifier',
    method: 'get',
    path: '/.well-known/quittance-verify.mjs',
    tag: 'Service',
    summary: 'The offline verifier, as one file for Node',
    description:
      'Checks a proof with the keys of the issuer and any Solana node, without this service: `node quittance-verify.mjs --help`. The same bytes as `npm run verify` builds from the source.',
    parameters: [],
    answers: file('The program.', 'text/javascript'),
    errors: ['service_unavailable'],
    limit: null,
    handler: serveVerifier,
  },
  {
    id: 'readVerifierHash',
    method: 'get',
    path: '/.well-known/quittance-verify.sha256',
    tag: 'Service',
    summary: 'The hash of the offline verifier',
    description: 'In the form that `sha256sum -c` reads.',
    parameters: [],
    answers: file('The hash.', 'text/plain'),
    errors: ['service_unavailable'],
    limit: null,
    handler: serveVerifierHash,
  },
  {
    id: 'readDescription',
    method: 'get',
    path: '/openapi.json',
    tag: 'Service',
    summary: 'This description',
    description: 'OpenAPI 3.1, made from what requests and answers are parsed with.',
    parameters: [],
    answers: body('The document.', z.looseObject({ openapi: z.literal('3.1.0') })),
    errors: [],
    limit: null,
    handler: async ({ table }) => json(200, openapiDocument(env(), table)),
  },
  {
    id: 'readLlmsText',
    method: 'get',
    path: '/llms.txt',
    tag: 'Service',
    summary: 'The service told to a language model',
    description: 'What it does, each path, prices, and how to pay.',
    parameters: [],
    answers: file('The text.', 'text/plain'),
    errors: [],
    limit: null,
    handler: async ({ table }) => text(llmsText(env(), table)),
  },
  {
    id: 'readVersion',
    method: 'get',
    path: '/version',
    tag: 'Service',
    summary: 'The release that runs',
    description: 'And the version of this interface.',
    parameters: [],
    answers: body('The versions.', versionBody),
    errors: [],
    limit: null,
    handler: serveVersion,
  },
  {
    id: 'readHealth',
    method: 'get',
    path: '/health',
    tag: 'Service',
    summary: 'Everything the service works with',
    description:
      '`degraded` names the parts that are missing and `affected` what that means; 503 only where `/health/ready` is 503 as well.',
    parameters: [],
    answers: {
      200: { description: 'It takes requests.', schema: healthBody },
      503: { description: 'It takes none now.', schema: healthBody },
    },
    errors: [],
    limit: null,
    handler: serveHealth,
  },
  {
    id: 'readReady',
    method: 'get',
    path: '/health/ready',
    tag: 'Service',
    summary: 'Whether to send requests to this process',
    description: 'For load balancers.',
    parameters: [],
    answers: {
      200: { description: 'Yes.', schema: readyBody },
      503: {
        description: 'No: it is stopping, or does not reach its database.',
        schema: readyBody,
      },
    },
    errors: [],
    limit: null,
    handler: serveReady,
  },
  {
    id: 'readLive',
    method: 'get',
    path: '/health/live',
    tag: 'Service',
    summary: 'Whether this process should be let live',
    description: 'For what starts processes anew.',
    parameters: [],
    answers: {
      200: { description: 'Yes.', schema: liveBody },
      503: { description: 'No: a new process cures it.', schema: liveBody },
    },
    errors: [],
    limit: null,
    handler: serveLive,
  },
  {
    id: 'readMetrics',
    method: 'get',
    path: '/metrics',
    tag: 'Service',
    summary: 'All counts, for Prometheus',
    description: 'For who shows METRICS_TOKEN; for everybody else there is no such path.',
    parameters: [],
    answers: file('The counts.', 'text/plain'),
    errors: [],
    limit: null,
    security: 'metricsToken',
    handler: ({ ctx }) => serveMetrics(ctx),
  },
];
