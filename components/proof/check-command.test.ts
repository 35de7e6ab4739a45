import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { checkCommand } from './check-command';

/** The document breaks long commands and leaves out parts that differ between sites. */
const documented = readFileSync('docs/verify.md', 'utf8')
  .replaceAll(/\\\n\s*/g, '')
  .split('\n')
  .map((line) => line.trim());

const SITE = { publicUrl: 'https://site.example', network: 'mainnet' } as const;

it('shows the commands of docs/verify.md with the id of the receipt', () => {
  const lines = checkCommand(SITE, { kind: 'receipt', id: '0123456789AB' }).split('\n');
  expect(lines).toHaveLength(5);
  for (const line of lines) {
    const general = line
      .replaceAll('https://site.example', 'https://…')
      .replace('https://api.mainnet-beta.solana.com', 'https://…')
      .replace('0123456789AB', '{receipt_id}');
    expect(documented).toContain(general);
  }
});

it('requests the proof of a statement under its own path, and asks for a node on the test chain', () => {
  const command = checkCommand(
    { ...SITE, network: 'local' },
    { kind: 'statement', id: 'STMT01234567' },
  );
  expect(command).toContain('https://site.example/statement/STMT01234567/proof > statement.json\n');
  expect(command).toMatch(
    /node quittance-verify\.mjs statement\.json .* --rpc "\$SOLANA_RPC_URL"$/,
  );
});
