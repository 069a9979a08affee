/**
 * An agent that speaks raw lines of JSON and behaves as badly as its flags say. It answers `initialize`
 * and `session/new`, and leaves prompts unanswered unless told otherwise.
 */
import { argument, hasFlag } from "../command-line.ts";
import { process, spawnSleeper, writeFile } from "../platform.ts";

const pids = [process.pid];
if (hasFlag("helpers")) pids.push(spawnSleeper(), spawnSleeper());
if (hasFlag("pids")) await writeFile(argument("pids"), `${pids.join("\n")}\n`);
if (hasFlag("ignore-sigterm")) process.on("SIGTERM", () => {});
if (hasFlag("ignore-eof")) setInterval(() => {}, 60_000);
if (hasFlag("complain")) process.stderr.write("cannot find my configuration\nplease log in\n");
if (hasFlag("usage")) process.stdout.write("unknown option --acp\nusage: agent [file]\n");
if (hasFlag("stderr-bytes")) process.stderr.write("0123456789abcde\n".repeat(Number(argument("stderr-bytes")) / 16));
if (hasFlag("noise")) process.stdout.write(Uint8Array.of(0xff, 0xfe, 0x00, 0xc3, 0x0a, 0x7b, 0x22, 0xc3, 0x28, 0x0a));
if (hasFlag("crash")) crash(20);
if (hasFlag("exit")) process.exit(Number(argument("exit")));

/** Fails with a stack that is deeper than what anybody quotes. */
function crash(depth: number): void {
  if (depth === 0) throw new TypeError("no configuration");
  crash(depth - 1);
}

let rest = "";
process.stdin.setEncoding("utf8");
process.stdin.on("data", (text: string) => {
  const lines = (rest + text).split("\n");
  rest = lines.pop() ?? "";
  if (!hasFlag("silent")) for (const line of lines) receive(JSON.parse(line));
});

function receive({ id, method }: { readonly id?: unknown; readonly method?: string }): void {
  if (method === "initialize" && hasFlag("refuse")) send({ id, error: { code: -32603, message: "not today" } });
  else if (method === "initialize") send({ id, result: { protocolVersion: 1, agentCapabilities: {} } });
  else if (method === "session/new") send({ id, result: { sessionId: "session" } });
  else if (method === "session/prompt" && hasFlag("burst")) burst(id);
  else if (method === "session/prompt" && hasFlag("close-stdout")) send({ method: "_close" });
}

/** Answers with a lot at once, and is gone. */
function burst(id: unknown): void {
  const count = Number(argument("burst"));
  for (let index = 0; index < count; index += 1) {
    const content = { type: "text", text: `chunk ${index} ${"x".repeat(500)}` };
    send({
      method: "session/update",
      params: { sessionId: "session", update: { sessionUpdate: "agent_message_chunk", content } },
    });
  }
  send({ id, result: { stopReason: "end_turn" } }, () => process.exit(0));
}

function send(message: object, written: () => void = () => {}): void {
  process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`, written);
}
