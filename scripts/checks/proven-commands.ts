/** Commands of documents, and the test or the step of CI that runs them. */
export type Proof = {
  /**
   * As documents print them. A command that ends with `…` covers every command with this beginning,
   * except where it is an address such as `https://…`.
   */
  commands: readonly string[];
  /** A test file, or a file of `.ci`. */
  file: string;
  /** Words of that file that run them or read them from their document. Without it, it holds each command as printed. */
  says?: string;
  /** Why it is not run as printed, and what is shown in its place. */
  instead?: string;
};

const REQUESTS = 'tests/printed-requests.spec.ts';
const TOOLS = 'scripts/printed-tools.parts.test.ts';
const IMAGE = 'scripts/image.parts.test.ts';

/** Every command of every document. `checkCommands` compares it with what the documents print. */
export const PROVEN_COMMANDS: readonly Proof[] = [
  {
    commands: [
      ...['npm ci && npm run demo', 'npm ci && npm test', 'npm run demo:agent'],
      ...['npm ci', 'npm run demo', 'npm test'],
    ],
    file: '.ci/run',
    says: 'The commands of the first `sh` block of README.md',
  },
  { commands: ['npm run check'], file: '.ci/run' },
  {
    commands: [
      ...['npm run generate', 'npm run migrate', 'npm run doctor', 'npm run audit'],
      ...['npm run format', 'npm run docs', 'npm run dev', 'npm run build', 'npm start'],
      ...['npm run admin', 'npm run admin -- help', 'npm run admin -- rebuild'],
      ...['npm run tree:create', 'npm run storage:fund', 'npm run verify', 'npm run verify --'],
    ],
    file: '.ci/scripts',
  },
  {
    commands: ['npm ci && npm run build'],
    file: '.ci/scripts',
    says: 'npm run build',
    instead: 'Each step of CI begins in a clone whose packages `npm ci` installed.',
  },
  {
    commands: ['npm audit'],
    file: '.ci/scripts',
    says: 'npm run audit',
    instead: 'It is what `npm run audit` runs.',
  },
  {
    commands: ['npm run test:unit'],
    file: '.ci/run',
    says: 'npm test',
    instead: '`npm test` runs the same project of Vitest.',
  },
  {
    commands: [
      ...['npm test -- backup.parts', 'npm test -- tests/reading', 'npm test -- plain-service'],
      ...['npx vitest run --project unit server/rates', 'npx vitest run -u <file>'],
      ...['npm run e2e', 'npx playwright test', 'npx playwright show-report'],
    ],
    file: TOOLS,
    instead: 'The tests themselves are in `npm test`. Which files each chooses is checked.',
  },
  {
    commands: ['npm run bench', 'npm run bench:web'],
    file: 'scripts/fresh-clone.parts.test.ts',
    says: 'can run npm run $name',
    instead:
      'They take many minutes on an idle machine. The test shows that each loads in a fresh clone.',
  },
  {
    commands: [
      ...['npm run bench -- load million', 'npm run bench -- dashboard million growth'],
      ...['npm run bench -- minting', 'npm run bench -- growth'],
    ],
    file: TOOLS,
    instead: 'As above. The test shows that the parts have these names.',
  },
  {
    commands: ['npm run test:chaos', 'npm run test:chaos -- --seed 7'],
    file: 'tests/chaos.test.ts',
    says: 'The short form of `npm run test:chaos`',
    instead: 'It runs for many minutes. Its short form is a test.',
  },
  {
    commands: ['apt-get install chromium redis-server postgresql'],
    file: '.ci/run',
    says: 'wanted+=(postgresql)',
    instead: 'CI installs these three and more, where they are missing.',
  },
  { commands: ['npm run demo -- --keep'], file: TOOLS },
  {
    commands: [
      `curl -X POST http://127.0.0.1:3000/mint -H 'Content-Type: application/json' -H "X-Wallet-Address: $WALLET" -H "X-Wallet-Signature: $SIGNATURE" -d '{"tx_signature":"…","service_type":"API access"}'`,
      `curl -X POST http://127.0.0.1:3000/statement -H 'Content-Type: application/json' -d '{"wallet_address":"…","period_start":"2026-01-01T00:00:00Z","period_end":"2026-12-31T23:59:59Z","output_formats":["json","csv"]}'`,
      `curl -s localhost:8899/faucet -d '{"wallet":"<address>","sol":1,"token":"USDC","amount":"25"}'`,
      'curl -s https://receipts.example/receipt/ABCDEF123456/proof > proof.json',
      'curl -s https://receipts.example/.well-known/quittance.json > issuer.json',
      'python3 verify.py proof.json issuer.json https://api.mainnet-beta.solana.com',
      'curl -fsSO https://…/.well-known/quittance-verify.tgz',
      'curl -fsS https://…/.well-known/quittance-verify.tgz.sha256 | sha256sum -c',
      'npm install ./quittance-verify.tgz && node_modules/.bin/quittance-verify --help',
      ...['npm install ./quittance-verify.tgz', 'sha256sum -c', 'shasum -a 256 -c'],
      'node quittance-verify.mjs receipt.json --issuer quittance.json --rpc https://api.mainnet-beta.solana.com',
      'npm run verify -- receipt.json --issuer quittance.json --rpc https://…',
      'npm run tree:create -- --depth 14 --buffer 64 --canopy 8',
      'npm run tree:create -- --depth 17 --buffer 64 --canopy 10',
      'npm run tree:create -- --collections',
      'npm run storage:fund -- --sol 0.1',
      "alter role quittance set statement_timeout = '30s'",
    ],
    file: REQUESTS,
  },
  {
    commands: [
      'curl -fsSO https://…/.well-known/quittance-verify.mjs',
      'curl -fsS https://…/.well-known/quittance-verify.sha256 | sha256sum -c',
      'curl -fsS https://…/receipt/{receipt_id}/proof > receipt.json',
      'curl -fsS https://…/.well-known/quittance.json > quittance.json',
      'node quittance-verify.mjs receipt.json --issuer quittance.json --rpc https://…',
      'curl -fsS https://…/statement/{statement_id}/proof > statement.json',
      'curl -fsS https://…/statement/{statement_id}/csv > statement.csv',
      'node quittance-verify.mjs statement.json --issuer quittance.json --rpc https://… --csv statement.csv --complete',
    ],
    file: 'tests/statements.spec.ts',
    // It reads the section from docs/verify.md; a receipt's half is run by tests/harness/describe-proof-of.ts.
    says: 'runPage(service, { dir, statementId',
  },
  {
    commands: ['node quittance-verify.mjs --help'],
    file: '.ci/scripts',
    says: 'npm run verify -- --help',
    instead: 'It is the same file.',
  },
  {
    commands: ['npm install @napi-rs/canvas@…'],
    file: TOOLS,
    says: 'names the packages that draw, in the versions of package.json',
    instead: 'It fetches 100 MB from the registry. The names and versions are checked.',
  },
  {
    commands: ['tsx devnet/chain/main.ts'],
    file: 'devnet/chain/persist-chain.parts.test.ts',
    says: "bundleProgram('devnet/chain/main.ts')",
  },
  {
    commands: [
      ...['docker compose build', 'docker compose up -d --scale app=2'],
      'docker compose build --build-arg QUITTANCE_COMMIT=$(git rev-parse HEAD)',
      'docker compose run --rm migrate && docker compose run --rm app npm run doctor',
      'docker compose run --rm app npm run tree:create -- --depth 14 --buffer 64 --canopy 8',
      'docker compose exec -T postgres pg_dump -U quittance --format=custom quittance',
    ],
    file: IMAGE,
    says: 'that documented docker compose commands name',
    instead:
      'The tests have no Docker. compose.yaml is held against the schema of Compose, and each line against its services.',
  },
  {
    commands: ['chown 1000 secrets/*.json && chmod 400 secrets/*.json'],
    file: IMAGE,
    says: "toContain('chown 1000 secrets/')",
    instead: 'It needs root and keys. scripts/try-image.sh makes keys with this owner and mode.',
  },
  {
    commands: [
      'scripts/try-image.sh <empty folder>',
      'STRIKES=1 scripts/try-image.sh <empty folder>',
    ],
    file: IMAGE,
    says: 'below the limit of its trial',
    instead: 'It needs root and a build of minutes. Its parts and its limit are checked.',
  },
  {
    commands: ['inngest start'],
    file: IMAGE,
    says: 'matches the schema of the Compose specification',
    instead: 'The program of Inngest is not installed here. compose.yaml starts it by these words.',
  },
  {
    commands: [
      'npm run admin -- list --status failed',
      ...['npm run admin -- show <receipt id>', 'npm run admin -- retry <receipt id>'],
      ...['npm run admin -- retry-all', 'npm run admin -- held'],
      ...['npm run admin -- release <receipt id>', 'npm run admin -- payment <signature>'],
      ...['npm run admin -- hold <payment>', 'npm run admin -- unhold <payment>'],
      'npm run admin -- refunded <payment> <refund>',
      'npm run admin -- withdrawal <transaction> <note>',
      ...['npm run admin -- reconcile', 'npm run admin -- forget <wallet>'],
      'npm run admin -- hide <receipt id> It names a private person',
      'npm run admin -- unhide <receipt id> The claim was withdrawn',
      ...['npm run admin -- undecided', 'npm run admin -- close <signature> <what you checked>'],
      'npm run --silent admin -- new-token anna support',
    ],
    file: 'tests/printed-admin.spec.ts',
  },
  {
    commands: ['npm run admin -- new-token <name> <role>'],
    file: 'tests/printed-admin.spec.ts',
    says: 'npm run --silent admin -- new-token anna support',
    instead: 'The same command with a name and a role.',
  },
  {
    commands: [
      ...['npm run --silent backup -- --to "$BACKUPS"', 'npm run backup'],
      'psql "$SERVER/postgres" -c "create database $NAME"',
      'pg_restore --exit-on-error --no-owner --no-privileges --dbname "$SERVER/$NAME" "$BACKUP"',
    ],
    file: 'tests/restore-drill.test.ts',
    says: "documentedBlocks('docs/operation/backups.md'",
  },
  {
    commands: [
      'npm run --silent admin -- revoke "$OLD_KEY" --from "$FROM"',
      'npm run --silent admin -- new-key "$NEW_FILE"',
      'MINTER_KEY_FILE="$NEW_FILE" npm run --silent tree:create -- --yes --depth 14 --buffer 64 --canopy 8',
    ],
    file: 'tests/keys.test.ts',
    says: "'docs/operation/keys.md'",
  },
  {
    commands: ['promtool test rules alerts.test.yaml'],
    file: 'operation/alerts.parts.test.ts',
    says: "['test', 'rules', 'alerts.test.yaml']",
  },
  {
    commands: ['prisma migrate deploy'],
    file: 'prisma/migrate.test.ts',
    says: 'records the same as the official command',
    instead: 'An option that was not taken. The test shows that its table is like ours.',
  },
  {
    commands: ['prisma dev'],
    file: IMAGE,
    says: 'include no tests, builds or Prisma command line',
    instead: 'Named as a command that nothing here calls. The image does not hold it.',
  },
];
