import type { LoginFile } from "./login/login-file.ts";

/** What the agent is made from in each version. */
export interface ReferenceAgentOptions {
  /** Name and version, shown to users. */
  readonly info: { readonly name: string; readonly title: string; readonly version: string };
  /** Milliseconds between two pieces of text, as if a model wrote them. */
  readonly pace: number;
  /** Where logins are remembered. Without it nobody has to log in. */
  readonly login: LoginFile | undefined;
}
