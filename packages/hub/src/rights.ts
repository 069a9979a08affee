/**
 * What somebody does with a session. `watch`: list, load, resume. `answer`: answer the agent's questions. `prompt`: prompt, cancel,
 * change modes and options. `admin`: delete, stop and share it. Making a session needs no right to it.
 */
export type Act = "watch" | "answer" | "prompt" | "admin";

/** All acts: each includes those before it in the default of `may`. */
export const allActs: readonly Act[] = ["watch", "answer", "prompt", "admin"];

/** Somebody who uses a hub. */
export interface HubUser {
  /** The same for all connections of a user. */
  readonly id: string;
  /** How others see them, such as in "Already answered by". Default: the id. */
  readonly name?: string | undefined;
  /** The share that they came with: `hub.userOf(token)` sets it. It decides alone what they may do, and `may` is not asked. */
  readonly share?: UsedShare | undefined;
}

/** The share of a session that a user came with. */
export interface UsedShare {
  readonly id: string;
  readonly session: string;
}

/** A request for rights, for the option `may`. */
export interface RightRequest {
  /** `undefined` for a user of the same machine, and on a hub without users. */
  readonly user: HubUser | undefined;
  readonly act: Act;
  readonly session: {
    readonly id: string;
    readonly owner: string | undefined;
    readonly agent: string;
    readonly cwd: string;
  };
}

/** Decides what a user may do. */
export type May = (request: RightRequest) => boolean;

/** Everything to the owner; everything to everybody on a hub without users. */
export const ownersMay: May = ({ user, session }) => user === undefined || user.id === session.owner;
