import type { JsonError } from './emulator';
import { RpcError } from './rpc-error';

/** Names in the order of LiteSVM's TransactionErrorFieldless enum. */
const TRANSACTION_ERRORS = [
  'AccountInUse',
  'AccountLoadedTwice',
  'AccountNotFound',
  'ProgramAccountNotFound',
  'InsufficientFundsForFee',
  'InvalidAccountForFee',
  'AlreadyProcessed',
  'BlockhashNotFound',
  'CallChainTooDeep',
  'MissingSignatureForFee',
  'InvalidAccountIndex',
  'SignatureFailure',
  'InvalidProgramForExecution',
  'SanitizeFailure',
  'ClusterMaintenance',
  'AccountBorrowOutstanding',
  'WouldExceedMaxBlockCostLimit',
  'UnsupportedVersion',
  'InvalidWritableAccount',
  'WouldExceedMaxAccountCostLimit',
  'WouldExceedAccountDataBlockLimit',
  'TooManyAccountLocks',
  'AddressLookupTableNotFound',
  'InvalidAddressLookupTableOwner',
  'InvalidAddressLookupTableData',
  'InvalidAddressLookupTableIndex',
  'InvalidRentPayingAccount',
  'WouldExceedMaxVoteCostLimit',
  'WouldExceedAccountDataTotalLimit',
  'MaxLoadedAccountsDataSizeExceeded',
  'ResanitizationNeeded',
  'InvalidLoadedAccountsDataSizeLimit',
  'UnbalancedTransaction',
  'ProgramCacheHitMaxLimit',
  'CommitCancelled',
] as const;

/** Names in the order of LiteSVM's InstructionErrorFieldless enum. */
const INSTRUCTION_ERRORS = [
  'GenericError',
  'InvalidArgument',
  'InvalidInstructionData',
  'InvalidAccountData',
  'AccountDataTooSmall',
  'InsufficientFunds',
  'IncorrectProgramId',
  'MissingRequiredSignature',
  'AccountAlreadyInitialized',
  'UninitializedAccount',
  'UnbalancedInstruction',
  'ModifiedProgramId',
  'ExternalAccountLamportSpend',
  'ExternalAccountDataModified',
  'ReadonlyLamportChange',
  'ReadonlyDataModified',
  'DuplicateAccountIndex',
  'ExecutableModified',
  'RentEpochModified',
  'NotEnoughAccountKeys',
  'AccountDataSizeChanged',
  'AccountNotExecutable',
  'AccountBorrowFailed',
  'AccountBorrowOutstanding',
  'DuplicateAccountOutOfSync',
  'InvalidError',
  'ExecutableDataModified',
  'ExecutableLamportChange',
  'ExecutableAccountNotRentExempt',
  'UnsupportedProgramId',
  'CallDepth',
  'MissingAccount',
  'ReentrancyNotAllowed',
  'MaxSeedLengthExceeded',
  'InvalidSeeds',
  'InvalidRealloc',
  'ComputationalBudgetExceeded',
  'PrivilegeEscalation',
  'ProgramEnvironmentSetupFailure',
  'ProgramFailedToComplete',
  'ProgramFailedToCompile',
  'Immutable',
  'IncorrectAuthority',
  'AccountNotRentExempt',
  'InvalidAccountOwner',
  'ArithmeticOverflow',
  'UnsupportedSysvar',
  'IllegalOwner',
  'MaxAccountsDataAllocationsExceeded',
  'MaxAccountsExceeded',
  'MaxInstructionTraceLengthExceeded',
  'BuiltinProgramsMustConsumeComputeUnits',
  'BorshIoError',
] as const;

/** Texts of agave's Display for the errors that a payment meets. Others are shown by their name. */
const SENTENCES: Record<string, string> = {
  AccountNotFound: 'Attempt to debit an account but found no record of a prior credit.',
  AlreadyProcessed: 'This transaction has already been processed',
  BlockhashNotFound: 'Blockhash not found',
  InsufficientFundsForFee: 'Insufficient funds for fee',
  InvalidAccountForFee: 'This account may not be used to pay transaction fees',
  InsufficientFunds: 'insufficient funds for instruction',
  InvalidAccountData: 'invalid account data for instruction',
  InvalidInstructionData: 'invalid instruction data',
  MissingRequiredSignature: 'missing required signature for instruction',
  ProgramAccountNotFound: 'Attempt to load a program that does not exist',
  AddressLookupTableNotFound: "Transaction loads an address table account that doesn't exist",
};

/** LiteSVM's error (an enum number or an object) as the JSON of a validator's RPC. */
export function errorJson(error: number | object): JsonError {
  if (typeof error === 'number') return TRANSACTION_ERRORS[error] ?? 'SanitizeFailure';
  const kind = error.constructor.name.replace('TransactionError', '');
  if (kind === 'InstructionError' && 'index' in error && 'err' in error) {
    const cause = typeof error.err === 'function' ? (error.err() as number | object) : 0;
    return { InstructionError: [error.index, instructionErrorJson(cause)] };
  }
  if (kind === 'DuplicateInstruction' && 'index' in error) return { [kind]: error.index };
  return { [kind]: { account_index: 'accountIndex' in error ? error.accountIndex : 0 } };
}

function instructionErrorJson(cause: number | object): JsonError {
  if (typeof cause === 'number') return INSTRUCTION_ERRORS[cause] ?? 'GenericError';
  if ('code' in cause) return { Custom: cause.code };
  return 'BorshIoError';
}

/** The error of `sendTransaction` when the preflight simulation failed (-32002). */
export function preflightError(err: JsonError, logs: string[], unitsConsumed: number): RpcError {
  return new RpcError(-32002, `Transaction simulation failed: ${describeError(err)}`, {
    accounts: null,
    err,
    innerInstructions: null,
    logs,
    replacementBlockhash: null,
    returnData: null,
    unitsConsumed,
  });
}

function describeError(err: JsonError): string {
  if (typeof err === 'string') return SENTENCES[err] ?? err;
  if (Array.isArray(err.InstructionError)) {
    const [index, cause] = err.InstructionError as [number, JsonError];
    return `Error processing Instruction ${index}: ${describeCause(cause)}`;
  }
  const rent = err.InsufficientFundsForRent as { account_index: number } | undefined;
  if (rent)
    return `Transaction results in an account (${rent.account_index}) with insufficient funds for rent`;
  return Object.keys(err)[0] ?? 'unknown error';
}

/** The wording of programs' errors in logs and messages. */
export function describeCause(cause: JsonError): string {
  if (typeof cause === 'string') return SENTENCES[cause] ?? cause;
  if (typeof cause.Custom === 'number')
    return `custom program error: 0x${cause.Custom.toString(16)}`;
  return Object.keys(cause)[0] ?? 'unknown error';
}
