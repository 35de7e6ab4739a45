import type { ServiceContext } from '@/server/context';
import type { LimitState } from '@/server/limit-store';

/** A wallet that proved, in this request, that it holds its key. Only `readWalletProof` makes one. */
export type ProvenWallet = string & { readonly __proven: unique symbol };

/** Wallet headers as a request showed them; not judged yet, null where absent. */
export type ShownProof = { address: string | null; signature: string | null };

/** Who sent a request. */
type Sender = {
  /** Names this piece of work: it holds reservations and claims, and stands in the log. */
  id: string;
  /** Address as the server saw it (empty: none); never stored, never logged. */
  client: string;
  /** Written by what charges: where the client stands, and what the request cost in calls to nodes. */
  limits: { state: LimitState | null; rpcPoints: number };
};

/** Anyone at an address, who may show a wallet's signature; a use case that needs the proof judges it. */
export type Anyone = Sender & { kind: 'anyone'; proof: ShownProof };
/** A wallet that proved itself with this very request. */
export type WalletActor = Sender & { kind: 'wallet'; wallet: ProvenWallet };
/** A wallet that signed in. */
export type SessionActor = Sender & { kind: 'session'; wallet: string };
/** Who runs the service: `admin`, or `admin:<name>` of a named operator, as the audit has it. */
export type OperatorActor = Sender & { kind: 'operator'; name: string };
/** The service itself, which nobody charges and which proves nothing. */
export type JobActor = { kind: 'job'; id: string; client: '' };

/** Who a use case works for. */
export type Actor = Anyone | WalletActor | SessionActor | OperatorActor | JobActor;

/** What every use case takes: the parts of the service, who asks, and for what. */
export type Call<Input = unknown, By extends Actor = Actor> = {
  service: ServiceContext;
  actor: By;
  input: Input;
};

/** How a purchase is asked for, beside its body: payment headers as sent, and the patience of the caller. */
export type Order<Body> = {
  body: Body;
  payment: { paymentSignature: string | null; xPayment: string | null };
  /** Seconds the caller is willing to wait for the mint, 0 to 30; null where it does not say. */
  waitS: number | null;
};
