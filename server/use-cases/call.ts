import type { ServiceContext } from '@/server/context';
import type { LimitState } from '@/server/limit-store';

/** A wallet that proved, in this request, that it holds its key. Only `readWalletProof` makes one. */
export type ProvenWallet = string & { readonly __proven: unique symbol };

/** Wallet headers as the request sent them, not checked yet. Null if absent. */
export type ShownProof = { address: string | null; signature: string | null };

/** The sender of a request. */
type Sender = {
  /** Id of this piece of work. It holds reservations and claims, and is in the log. */
  id: string;
  /** Address as the server saw it (empty: none); never stored, never logged. */
  client: string;
  /**
   * Written by the limits: the rest of the client's limit, and the request's cost in calls to
   * nodes.
   */
  limits: { state: LimitState | null; rpcPoints: number };
};

/** Anyone at an address, perhaps with the signature of a wallet. A use case that needs the proof checks it. */
export type Anyone = Sender & { kind: 'anyone'; proof: ShownProof };
/** A wallet that proved itself with this request. */
export type WalletActor = Sender & { kind: 'wallet'; wallet: ProvenWallet };
/** A wallet that signed in. */
export type SessionActor = Sender & { kind: 'session'; wallet: string };
/** An operator, as the audit log names it: `admin`, or `admin:<name>`. */
export type OperatorActor = Sender & { kind: 'operator'; name: string };
/** The service itself. It has no limits and needs no proof. */
export type JobActor = { kind: 'job'; id: string; client: '' };

/** The caller for whom a use case works. */
export type Actor = Anyone | WalletActor | SessionActor | OperatorActor | JobActor;

/** Arguments of every use case: the parts of the service, the actor, and the input. */
export type Call<Input = unknown, By extends Actor = Actor> = {
  service: ServiceContext;
  actor: By;
  input: Input;
};

/**
 * The order of a purchase: its body, the payment headers of the request, and how long the caller
 * waits.
 */
export type Order<Body> = {
  body: Body;
  payment: { paymentSignature: string | null; xPayment: string | null };
  /** Seconds the caller is willing to wait for the mint, 0 to 30; null where it does not say. */
  waitS: number | null;
};
