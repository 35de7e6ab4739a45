import { EmuError } from '@/devnet/chain/emulator';

/**
 * Codes and texts of the deployed program's IDL (6000 and up) and of Anchor itself (below 6000).
 */
const ANCHOR_ERRORS = {
  InstructionFallbackNotFound: [101, 'Fallback functions are not supported'],
  InstructionDidNotDeserialize: [102, 'The program could not deserialize the given instruction'],
  ConstraintHasOne: [2001, 'A has one constraint was violated'],
  ConstraintOwner: [2004, 'An owner constraint was violated'],
  ConstraintSeeds: [2006, 'A seeds constraint was violated'],
  ConstraintZero: [2010, 'Expected zero account discriminant'],
  AccountNotEnoughKeys: [3005, 'Not enough account keys given to the instruction'],
  InvalidProgramId: [3008, 'Program ID was not as expected'],
  AccountNotSigner: [3010, 'The given account did not sign'],
  AccountNotInitialized: [3012, 'The program expected this account to be already initialized'],
  UnsupportedSchemaVersion: [6003, 'Unsupported Schema Version'],
  CreatorShareTotalMustBe100: [6004, 'Creator shares must sum to 100'],
  DuplicateCreatorAddress: [6005, 'No duplicate creator addresses in metadata'],
  CreatorDidNotVerify: [6006, 'Creator did not verify the metadata'],
  CreatorsTooLong: [6011, 'Creators list too long'],
  MetadataNameTooLong: [6012, 'Name in metadata is too long'],
  MetadataSymbolTooLong: [6013, 'Symbol in metadata is too long'],
  MetadataUriTooLong: [6014, 'Uri in metadata is too long'],
  MetadataBasisPointsTooHigh: [6015, 'Basis points in metadata cannot exceed 10000'],
  TreeAuthorityIncorrect: [6016, 'Tree creator or tree delegate must sign.'],
  InsufficientMintCapacity: [6017, 'Not enough unapproved mints left'],
  IncorrectOwner: [6019, 'Incorrect account owner'],
  CollectionNotFound: [6021, 'Collection Not Found on Metadata'],
  InvalidCollectionAuthority: [6028, 'Invalid collection authority'],
  CollectionMismatch: [6036, 'Collection mismatch'],
  InvalidTokenStandard: [6040, 'Only NonFungible standard is supported'],
  InvalidCanopySize: [6041, 'Canopy size should be set bigger for this tree'],
  InvalidAuthority: [6047, 'Invalid authority'],
  CollectionIsFrozen: [6048, 'Collection is frozen'],
  CollectionMustHaveBubblegumPlugin: [
    6049,
    'Core collections must have the Bubblegum V2 plugin on them',
  ],
  NotAvailable: [6050, 'Feature not currently available'],
  MissingCollectionAccount: [6051, 'Missing collection account'],
  MissingMplCoreCpiSignerAccount: [6055, 'Missing mpl-core CPI signer account'],
} as const satisfies Record<string, readonly [number, string]>;

/** The compression program counts its errors from 6000 as well, and Bubblegum passes them on. */
const COMPRESSION_ERRORS = {
  ConcurrentMerkleTreeError: [6001, 'Concurrent merkle tree error'],
  ConcurrentMerkleTreeConstantsError: [
    6003,
    'An unsupported max depth or max buffer size constant was provided',
  ],
} as const satisfies Record<string, readonly [number, string]>;

const ERRORS = { ...ANCHOR_ERRORS, ...COMPRESSION_ERRORS };
export type ProgramErrorName = keyof typeof ERRORS;

/** Fails the instruction like the program would: the error's code and Anchor's log line. */
export function refuse(name: ProgramErrorName): never {
  const [code, message] = ERRORS[name];
  throw new EmuError({ Custom: code }, [
    `Program log: AnchorError occurred. Error Code: ${name}. Error Number: ${code}. Error Message: ${message}.`,
  ]);
}

/** Fails an instruction that only the real program supports, with a log line that says so. */
export function refuseNotEmulated(what: string): never {
  throw new EmuError({ Custom: ANCHOR_ERRORS.InstructionFallbackNotFound[0] }, [
    `Program log: Error: the embedded chain does not emulate ${what}`,
  ]);
}
