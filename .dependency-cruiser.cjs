/** Modules of the server: each may import the ones before it in this list, never one after it. */
const MODULES = [
  ...['tokens', 'chain', 'rates', 'storage', 'nft', 'wallets', 'jurisdiction', 'payments'],
  ...['receipts', 'statements', 'exports', 'registrations', 'dashboard', 'admin', 'job-server'],
];
/** The layers above the modules, and the layers that each may import. */
const LAYERS = {
  'use-cases': [],
  api: ['use-cases'],
  rest: ['use-cases', 'api'],
  // Jobs and procedures (api) do not import each other.
  jobs: ['use-cases'],
  start: ['use-cases', 'api', 'rest', 'jobs'],
};
const LAYER_NAMES = Object.keys(LAYERS);
const TEST = '\\.(test|fixture)\\.tsx?$';
const any = (names) => `^server/(${names.join('|')})/`;

const forbid = (name, comment, from, to) => ({
  name,
  comment,
  severity: 'error',
  from: { pathNot: TEST, ...from },
  to,
});

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    ...MODULES.map((module, i) =>
      forbid(
        `modules-in-order-${module}`,
        `server/${module} may use only the modules before it. Move code that both need into the earlier module, ` +
          `and code that needs both into the later one or into a use case.`,
        { path: any([module]) },
        { path: any([...MODULES.slice(i + 1), ...LAYER_NAMES]) },
      ),
    ),
    ...LAYER_NAMES.map((layer) =>
      forbid(
        `layers-in-order-${layer}`,
        `server/${layer} may use the modules and ${LAYERS[layer].join(', ') || 'no other layer'}. Move code that both need ` +
          `into a use case or a module. Start a job through the port in the service.`,
        { path: any([layer]) },
        {
          path: any(LAYER_NAMES.filter((name) => name !== layer && !LAYERS[layer].includes(name))),
        },
      ),
    ),
    forbid(
      'storage-library-in-one-file',
      'Only server/storage/irys.ts loads the library of Irys, and limits its requests. Call its functions.',
      {
        path: '^(app|components|scripts|server)/',
        pathNot: [TEST, '^server/storage/irys\\.ts$'],
      },
      { path: 'node_modules/@irys/' },
    ),
    forbid(
      'base-below-modules',
      'server/*.ts and server/db are the base: they know no module. Move the file into the module it serves.',
      { path: '^server/([^/]+\\.tsx?$|db/)', pathNot: ['^server/context\\.ts$', TEST] },
      { path: any([...MODULES, ...LAYER_NAMES]) },
    ),
    forbid(
      'context-names-types',
      'server/context.ts is the input of a use case: it names types of modules and runs none of their code.',
      { path: '^server/context\\.ts$' },
      { path: any([...MODULES, ...LAYER_NAMES]), dependencyTypesNot: ['type-only'] },
    ),
    forbid(
      'jurisdiction-is-private',
      'Receipts, payments, NFTs, storage and REST must not reach a country. Let a use case join them.',
      { path: any(['receipts', 'payments', 'nft', 'storage', 'rest']) },
      { path: any(['jurisdiction']) },
    ),
    forbid(
      'app-calls-transports',
      'A file of app/ calls server/rest, server/api, server/jobs or server/start. Move logic into a use case.',
      { path: '^app/' },
      { path: `${any(MODULES)}|^server/db/` },
    ),
    forbid(
      'server-below-app',
      'server/ knows no page and no component. Pass the value in, or move the code into app/.',
      { path: '^server/' },
      { path: '^(app|components)/' },
    ),
    forbid(
      'components-show-types',
      'A component may import only types from server/ and packages/. Load the data in app/ and pass it in.',
      { path: '^components/' },
      { path: '^(server|packages|app)/', dependencyTypesNot: ['type-only'] },
    ),
    forbid(
      'packages-stand-alone',
      'A package runs without this repository. Move the code into its own src, and let server/ import it from there.',
      { path: '^packages/([^/]+)/' },
      { path: '^[^/]', pathNot: ['^packages/$1/', '^node_modules/', '^(node:)?[a-z_/]+$'] },
    ),
    forbid(
      'devnet-stays-outside',
      'The service reaches the embedded stack only over HTTP, so that the same build runs anywhere.',
      { path: '^(server|app|components)/' },
      { path: '^(devnet|scripts|tests|bench|prisma)/' },
    ),
    forbid(
      'devnet-knows-no-service',
      'devnet/ represents the outside world. From the service it may use only the key formats, server/keys.ts and the ed25519.ts of packages/verify.',
      { path: '^devnet/' },
      {
        path: '^(server|packages|app|components|scripts|tests|bench|prisma)/',
        pathNot: '^(server/keys|packages/verify/src/ed25519)\\.ts$',
      },
    ),
    forbid(
      'no-cycle',
      'Files that need each other are one idea or hide a third one. Move the shared code into a new file.',
      {},
      { circular: true },
    ),
    forbid(
      'production-dependencies',
      'The service runs without devDependencies. Move the package to dependencies in package.json.',
      { path: '^(server|app|components)/' },
      { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only'] },
    ),
    forbid(
      'resolvable',
      'This import cannot be resolved. Correct the path, or add the package to package.json.',
      {},
      { couldNotResolve: true },
    ),
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^(generated|\\.next|packages/[^/]+/dist/)' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
    },
  },
};
