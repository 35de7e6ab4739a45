import { ensureGenerated } from './ensure-generated';

/** `npm run generate`: the database client, when it is missing or older than the schema. */
ensureGenerated();
