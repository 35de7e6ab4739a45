import maxmind, { type Reader, type Response } from 'maxmind';
import { z } from 'zod';
import { publicAddress } from './is-public-address';

/** Where a caller seems to be. The address it was told from is not in it. */
export type Location = {
  /** ISO 3166 code; null when it is not known. */
  country: string | null;
  method: 'ip_geolocation';
  /** When the database was made. */
  databaseDate: Date;
};

/** iptoasn and its kind have a flat record, GeoLite2 and its kind a nested one. */
const code = z.string().regex(/^[A-Z]{2}$/);
const record = z.union([
  z.object({ country_code: code }).transform((found) => found.country_code),
  z.object({ country: z.object({ iso_code: code }) }).transform((found) => found.country.iso_code),
]);

type Database = Pick<Reader<Response>, 'get' | 'metadata'>;
const opened = new Map<string, Promise<Database | null>>();

/**
 * The country of an address by a database on this machine: nobody is asked, and nothing of the address is
 * kept. A reserved or unknown address has none. Null when there is no database to ask.
 */
export async function locateAddress(address: string, file: string): Promise<Location | null> {
  const database = opened.get(file) ?? openDatabase(file);
  opened.set(file, database);
  const reader = await database;
  if (!reader) return null;
  const asked = publicAddress(address);
  const found = asked === null ? null : record.safeParse(reader.get(asked));
  return {
    country: found?.success ? found.data : null,
    method: 'ip_geolocation',
    databaseDate: reader.metadata.buildEpoch,
  };
}

/** Receipts go on without it, and the start says that it is missing. */
async function openDatabase(file: string): Promise<Database | null> {
  try {
    return await maxmind.open<Response>(file);
  } catch {
    return null;
  }
}
