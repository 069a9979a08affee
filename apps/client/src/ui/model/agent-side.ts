// What needs the toolkit: loaded after the first frame.
export { AgentConnection } from "../../agents/agent-connection.ts";
export { classifyFailure, failureText } from "../../protocol/failure.ts";
export { runInShell } from "../../protocol/user-shell.ts";
export { within } from "../../protocol/time-limit.ts";
export { withLogin } from "../../protocol/with-login.ts";
export { createRedactor } from "@acp/record";
