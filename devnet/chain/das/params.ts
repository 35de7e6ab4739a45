import bs58 from 'bs58';
import { z } from 'zod';
import { invalidParams } from '@/devnet/chain/rpc-error';

/** Most assets that one answer or request may hold. */
const MAX_ASSETS = 1000;

const address = z.string().refine((text) => bs58.decodeUnsafe(text)?.length === 32, {
  error: 'not an address',
});
const addresses = z.array(address).max(MAX_ASSETS);
/** Display options of clients. They change nothing here. */
const display = { options: z.unknown().optional(), displayOptions: z.unknown().optional() };

const paging = {
  limit: z.int().min(1).max(MAX_ASSETS).default(MAX_ASSETS),
  page: z.int().min(1).optional(),
  before: address.optional(),
  after: address.optional(),
  cursor: address.optional(),
  sortBy: z
    .object({
      sortBy: z.enum(['created', 'updated', 'recent_action', 'id', 'none']),
      sortDirection: z.enum(['asc', 'desc']).default('desc'),
    })
    .optional(),
};
const PAGING_ORDER = ['sortBy', 'limit', 'page', 'before', 'after'];

/** The schema of a method's named parameters, and their order when a client sends an array. */
function method<Shape extends z.ZodRawShape>(shape: Shape, order: string[]) {
  const schema = z.strictObject(shape);
  return (params: unknown) => parseParams(schema, order, params);
}

export const readAssetParams = method({ id: address, ...display }, ['id']);
export const readAssetsParams = method({ ids: addresses, ...display }, ['ids']);
export const readOwnerParams = method({ ownerAddress: address, ...paging, ...display }, [
  'ownerAddress',
  ...PAGING_ORDER,
]);
export const readCreatorParams = method(
  { creatorAddress: address, onlyVerified: z.boolean().default(false), ...paging, ...display },
  ['creatorAddress', 'onlyVerified', ...PAGING_ORDER],
);
export const readGroupParams = method(
  { groupKey: z.string(), groupValue: z.string(), ...paging, ...display },
  ['groupKey', 'groupValue', ...PAGING_ORDER],
);
export const readSearchParams = method(
  {
    negate: z.boolean().default(false),
    conditionType: z.enum(['all', 'any']).default('all'),
    interface: z.string().optional(),
    ownerAddress: address.optional(),
    ownerType: z.enum(['single', 'token']).optional(),
    creatorAddress: address.optional(),
    creatorVerified: z.boolean().optional(),
    authorityAddress: address.optional(),
    grouping: z.tuple([z.string(), z.string()]).optional(),
    delegateAddress: address.optional(),
    compressed: z.boolean().optional(),
    burnt: z.boolean().optional(),
    name: z.string().optional(),
    jsonUri: z.string().optional(),
    tokenType: z.enum(['Fungible', 'NonFungible', 'regularNFT', 'compressedNFT', 'All']).optional(),
    ...paging,
    ...display,
  },
  // The order of the 1.x client. A field that is not in the shape above is refused unless it is
  // null.
  (
    'negate conditionType interface ownerAddress ownerType creatorAddress creatorVerified authorityAddress ' +
    'grouping delegateAddress frozen supply supplyMint compressed compressible royaltyTargetType ' +
    'royaltyTarget royaltyAmount burnt sortBy limit page before after jsonUri'
  ).split(' '),
);
export const readSignaturesParams = method(
  {
    id: address.optional(),
    tree: address.optional(),
    leafIndex: z.int().min(0).optional(),
    sortDirection: z.enum(['asc', 'desc']).optional(),
    ...paging,
    ...display,
  },
  'id limit page before after tree leafIndex cursor sortDirection'.split(' '),
);

export type Paging = Pick<
  ReturnType<typeof readOwnerParams>,
  'limit' | 'page' | 'before' | 'after' | 'cursor' | 'sortBy'
>;
export type SearchParams = ReturnType<typeof readSearchParams>;

function parseParams<Schema extends z.ZodType>(
  schema: Schema,
  order: string[],
  params: unknown,
): z.output<Schema> {
  const named = Array.isArray(params) ? nameParams(order, params) : params;
  const result = schema.safeParse(withoutNulls(named));
  if (!result.success) throw invalidParams(`Invalid params: ${z.prettifyError(result.error)}`);
  return result.data;
}

function nameParams(order: string[], values: unknown[]): Record<string, unknown> {
  if (values.length > order.length)
    throw invalidParams(`Invalid params: more than ${order.length} parameters`);
  return Object.fromEntries(values.map((value, i) => [order[i], value]));
}

/** Clients send null for fields that they leave out. */
function withoutNulls(params: unknown): unknown {
  if (typeof params !== 'object' || params === null) return params;
  return Object.fromEntries(Object.entries(params).filter(([, value]) => value !== null));
}
