// What needs the toolkit: loaded after the first frame.
export { connect } from "../../protocol/connect.ts";
export { classifyFailure, failureText } from "../../protocol/failure.ts";
export { openTraceFile } from "../../protocol/trace-file.ts";
export { within } from "../../protocol/time-limit.ts";
export { withLogin } from "../../protocol/with-login.ts";
export { createRedactor } from "@acp/record";
