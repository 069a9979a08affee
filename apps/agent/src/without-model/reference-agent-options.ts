import type { LoginFile } from "../login/login-file.ts";

/** What the agents of both versions need. */
export interface ReferenceAgentOptions {
  /** Name and version, shown to users. */
  readonly info: { readonly name: string; readonly title: string; readonly version: string };
  /** Milliseconds between two chunks of text, as if a model wrote them. 0 streams without delay. */
  readonly pace: number;
  /** Where the login is stored. Without it, nobody has to log in. */
  readonly login: LoginFile | undefined;
}
