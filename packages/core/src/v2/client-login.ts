import type { Received } from "@acp/schema/v2/types";
import type { ChooseLogin as ChooseLoginOf, LoginRequest as LoginRequestOf } from "../session/client/client-login.ts";

/** A call that the agent refused until somebody logs in: what to show when you ask the user how. */
export type LoginRequest = LoginRequestOf<Received.AuthMethod, Received.Implementation>;

/** Chooses a way to log in: the `methodId` of one that takes no terminal, or `undefined` or `null` to give up. */
export type ChooseLogin = ChooseLoginOf<LoginRequest>;
