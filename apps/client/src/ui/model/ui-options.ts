import type { Framing } from "@acp/framing";

import type { PermissionSettings } from "../../protocol/permission/settings.ts";
import type { Launch } from "../../agents/launch.ts";

/** How the user interface was started. */
export interface UiOptions extends PermissionSettings {
  readonly agent: Pick<Launch, "command" | "args" | "env">;
  readonly framing: Framing;
  /** The newest protocol version to offer. */
  readonly protocol: 1 | 2;
  /** The directory to work in; absolute. */
  readonly cwd: string;
  /** How long the agent may take to start, and to open a session, in milliseconds. */
  readonly startTimeout: number;
  /** The mode to select first. */
  readonly mode: string | undefined;
  /** The session to load instead of opening a new one. */
  readonly load: string | undefined;
  /** The login method to call first. */
  readonly login: string | undefined;
  /** Whether to show diagnostics and the agent's stderr. */
  readonly verbose: boolean;
  /** The file that receives all messages. */
  readonly trace: string | undefined;
  /** Whether the trace and what `verbose` shows contain passwords and tokens. */
  readonly withSecrets: boolean;
  /** Whether thoughts are shown whole at first. */
  readonly thoughts: "folded" | "full";
}
