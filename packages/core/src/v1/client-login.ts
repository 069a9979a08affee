import type { Received } from "@acp/schema/v1/types";
import type { ChooseLogin as ChooseLoginOf, LoginRequest as LoginRequestOf } from "../session/client/client-login.ts";

/** A call that the agent refused until somebody logs in: what to show when you ask the user how. */
export type LoginRequest = LoginRequestOf<Received.AuthMethod, Received.Implementation>;

/**
 * Chooses a way to log in: the id of an offered method that is not of type terminal (AUTH-06), or
 * `undefined` or `null` to give up.
 */
export type ChooseLogin = ChooseLoginOf<LoginRequest>;
