import type { LoginFile } from "../login/login-file.ts";
import type { ConfiguredModels } from "../model/models.ts";

/** What the coder needs to know. */
export interface CoderOptions {
  /** The models to choose from. New sessions have the first. */
  readonly models: ConfiguredModels;
  /** Name and version, shown to users. */
  readonly info: { readonly name: string; readonly title: string; readonly version: string };
  /** The folder for the journals of sessions; absolute. Default: sessions end with the process. */
  readonly sessionsFolder?: string | undefined;
  /**
   * The folder of the user's own configuration, absolute: `AGENTS.md` in it is what the user tells every model, and `commands` has
   * the user's slash commands. Default: none.
   */
  readonly configFolder?: string | undefined;
  /** Where the login is stored. Default: nobody has to log in. */
  readonly login?: LoginFile | undefined;
  /** How many requests to the model a prompt may take. Default: 100. */
  readonly maxSteps?: number | undefined;
  /** The environment variables with keys: the commands of the model do not get them. Default: none. */
  readonly secretVariables?: readonly string[] | undefined;
  /** Gets what is wrong with the saved sessions, as sentences for whoever runs the agent. Default: only users are told. */
  readonly onProblem?: ((message: string) => void) | undefined;
  /** Gets each failure of a model as it is. It may contain the prompt. Default: nobody does. */
  readonly onModelError?: ((error: unknown) => void) | undefined;
}
