/** Borders of the house. A room may import the ones before it in this list, never one after it. */
const ROOMS = [
  ...['tokens', 'chain', 'rates', 'storage', 'nft', 'wallets', 'jurisdiction', 'payments'],
  ...['receipts', 'statements', 'exports', 'registrations', 'dashboard', 'admin'],
];
const DOORS = ['api', 'rest', 'jobs'];
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
    ...ROOMS.map((room, i) =>
      forbid(
        `rooms-in-order-${room}`,
        `server/${room} may use only the rooms before it. Move what both need into the earlier room, ` +
          `or the verb that needs both into the later one or into server/api.`,
        { path: any([room]) },
        { path: any([...ROOMS.slice(i + 1), ...DOORS]) },
      ),
    ),
    forbid(
      'ground-below-rooms',
      'server/*.ts and server/db are the ground: they know no room. Move the file into the room it serves.',
      { path: '^server/([^/]+\\.tsx?$|db/)', pathNot: ['^server/context\\.ts$', TEST] },
      { path: any([...ROOMS, ...DOORS]) },
    ),
    forbid(
      'context-names-types',
      'server/context.ts is what a verb works with: it names types of rooms and runs none of their code.',
      { path: '^server/context\\.ts$' },
      { path: any([...ROOMS, ...DOORS]), dependencyTypesNot: ['type-only'] },
    ),
    forbid(
      'jurisdiction-is-private',
      'Receipts, payments, NFTs, storage and transports must not reach a country. Let server/api join them.',
      { path: any(['receipts', 'payments', 'nft', 'storage', 'rest']) },
      { path: any(['jurisdiction']) },
    ),
    forbid(
      'doors-only-in-app',
      'A file of app/ calls server/rest, server/api or server/jobs. Move logic into a verb of a room.',
      { path: '^app/' },
      { path: `${any(ROOMS)}|^server/db/` },
    ),
    forbid(
      'server-below-app',
      'server/ knows no page and no component. Pass the value in, or move the code into app/.',
      { path: '^server/' },
      { path: '^(app|components)/' },
    ),
    forbid(
      'components-show-types',
      'A component takes types alone from server/ and packages/. Load the data in app/ and pass it in.',
      { path: '^components/' },
      { path: '^(server|packages|app)/', dependencyTypesNot: ['type-only'] },
    ),
    forbid(
      'packages-stand-alone',
      'A package runs without this repository. Move what it needs into its own src, and let server/ import it from there.',
      { path: '^packages/([^/]+)/' },
      { path: '^[^/]', pathNot: ['^packages/$1/', '^node_modules/', '^(node:)?[a-z_/]+$'] },
    ),
    forbid(
      'devnet-stays-outside',
      'The service reaches the embedded stack over HTTP alone, so that the same build runs anywhere.',
      { path: '^(server|app|components)/' },
      { path: '^(devnet|scripts|tests|bench|prisma)/' },
    ),
    forbid(
      'devnet-knows-no-service',
      'devnet/ stands for the outside world: of the service it may use only the key formats, server/keys.ts and the ed25519.ts of packages/verify.',
      { path: '^devnet/' },
      {
        path: '^(server|packages|app|components|scripts|tests|bench|prisma)/',
        pathNot: '^(server/keys|packages/verify/src/ed25519)\\.ts$',
      },
    ),
    forbid(
      'no-cycle',
      'Files that need each other are one idea or hide a third one: move what both need into its own file.',
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
      'This import leads nowhere. Correct the path, or add the package to package.json.',
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
