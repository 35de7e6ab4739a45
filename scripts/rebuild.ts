import { loadDotEnv, pointAtEmbeddedStack } from '@/devnet/settings';
import { serviceContext } from '@/server/api/service-context';
import { rebuild } from '@/server/admin/rebuild';

/**
 * `npm run admin -- rebuild`: after an old backup was restored, brings back from the chain and permanent storage what
 * came later. Set RESTORE to a word for that backup before the service starts; the word ends up in the audit log.
 * `--pay-to <wallet>` names one that PAY_TO named between the backup and now; those before it are on record.
 */
loadDotEnv();
pointAtEmbeddedStack();
const service = serviceContext();
try {
  const label = service.env.restore ?? 'by hand';
  const payTo = wallets(process.argv);
  const result = await rebuild(service, { label, payTo, say: (line) => console.log(line) });
  for (const { signature, why } of result.skipped) console.log(`left alone ${signature}: ${why}`);
  console.log(
    `${result.receipts} receipts, ${result.used} used and ${result.unused} unused payments came back, and the NFTs of ${result.statements} statements`,
  );
} finally {
  await service.db.$disconnect();
}

function wallets(words: readonly string[]): string[] {
  return words.flatMap((word, at) => (words[at - 1] === '--pay-to' ? [word] : []));
}
