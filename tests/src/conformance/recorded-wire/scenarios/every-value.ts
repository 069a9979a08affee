// Each value of the enumerations and unions that turns are made of, in every edition.
import { type AnyPeer, type Edition, type Json, tagsOf } from "../harness/edition.ts";
import { newSessionParams } from "../harness/examples.ts";
import { between, type Scenario } from "../harness/scenario.ts";
import type { Wire } from "../harness/wire.ts";

const text = { type: "text", text: "text" };

/** A block of each kind of content. */
const blocks: Readonly<Record<string, Json>> = {
  text,
  image: { type: "image", data: "AAAA", mimeType: "image/png" },
  audio: { type: "audio", data: "AAAA", mimeType: "audio/wav" },
  resource_link: { type: "resource_link", uri: "file:///a", name: "a" },
  resource: { type: "resource", resource: { uri: "file:///a", text: "a" } },
};

/** An item of each kind of what a tool call shows. */
function toolContent(edition: Edition): Readonly<Record<string, Json>> {
  const changes = [{ operation: "delete", path: "/a", fileType: "text" }];
  return {
    content: { type: "content", content: text },
    diff: edition.version === 1 ? { type: "diff", path: "/a", newText: "b" } : { type: "diff", changes },
    terminal: { type: "terminal", terminalId: "terminal" },
  };
}

/** Updates that have each value of a kind once. */
function updatesOf(edition: Edition): readonly Json[] {
  const isFirst = edition.version === 1;
  const call = { sessionUpdate: "tool_call_update", toolCallId: "call" };
  const entries = tagsOf(edition, "PlanEntryStatus", "").flatMap((status) =>
    tagsOf(edition, "PlanEntryPriority", "").map((priority) => ({ content: "c", status, priority })),
  );
  const shown = toolContent(edition);
  return [
    isFirst ? { sessionUpdate: "tool_call", toolCallId: "call", title: "Call" } : { ...call, title: "Call" },
    ...tagsOf(edition, "ToolKind", "").map((kind) => ({ ...call, kind })),
    ...tagsOf(edition, "ToolCallStatus", "").map((status) => ({ ...call, status })),
    ...tagsOf(edition, "ToolCallContent", "type").map((type) => ({ ...call, content: [shown[type]] })),
    ...tagsOf(edition, "ContentBlock", "type").map((type) => ({
      sessionUpdate: "agent_message_chunk",
      messageId: "message",
      content: blocks[type],
    })),
    isFirst
      ? { sessionUpdate: "plan", entries }
      : { sessionUpdate: "plan_update", plan: { type: "items", planId: "plan", entries } },
  ];
}

async function askAll(wire: Wire, edition: Edition, client: AnyPeer): Promise<void> {
  const options = tagsOf(edition, "PermissionOptionKind", "").map((kind) => ({ optionId: kind, name: kind, kind }));
  for (const outcome of [...options.map(({ optionId }) => optionId), "cancelled"]) {
    await wire.step(`permission ${outcome}`);
    const toolCall = { toolCallId: "call", title: "Call" };
    const subject =
      edition.version === 1 ? { toolCall } : { title: "May I?", subject: { type: "tool_call", toolCall } };
    await wire.outcome(
      outcome,
      client.request("session/request_permission", { sessionId, ...subject, options, _meta: { outcome } }),
    );
  }
  await wire.step("a URL");
  const url = { sessionId, mode: "url", message: "Go", url: "https://example.com", elicitationId: "url" };
  await wire.outcome("url", client.request("elicitation/create", url));
  await wire.outcome("complete", client.notify("elicitation/complete", { elicitationId: "url" }));
}

const sessionId = "session";

interface Cancellable {
  readonly id: string;
  readonly signal: AbortSignal;
}

/** A turn of version 2. */
interface Turn {
  toolCall(call: object): Promise<Cancellable & { cancelled(): Promise<void> }>;
  terminal(terminal: object): Promise<Cancellable & { exited(status: object): Promise<void> }>;
}

const ended = (signal: AbortSignal): Promise<unknown> =>
  new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));

/** Reports a tool call and a terminal, and waits until the client has cancelled both. */
async function offerCancels(turn: Turn): Promise<void> {
  const call = await turn.toolCall({ toolCallId: "c", title: "C", capabilities: { cancel: {} } });
  const terminal = await turn.terminal({ terminalId: "t", command: "t", capabilities: { cancel: {} } });
  await ended(call.signal);
  await call.cancelled();
  await ended(terminal.signal);
  await terminal.exited({ exitCode: null, signal: "SIGTERM" });
}

export function everyValue(edition: Edition): readonly Scenario[] {
  return [
    between("each value of enumerations and unions", async (wire) => {
      let client: AnyPeer | undefined;
      const ends = wire.connection();
      edition
        .createAgent({
          info: { name: "agent", version: "1.0.0" },
          gate: "diagnose",
          handlers: {
            "session/new": () => ({ sessionId }),
            "session/prompt": async ({ prompt }, context) => {
              client = context.client;
              const [block] = prompt as [{ readonly text: string }];
              if (block.text === "cancel") await offerCancels((context as unknown as { readonly turn: Turn }).turn);
              return { stopReason: block.text === "cancel" ? "end_turn" : block.text };
            },
          },
        })
        .connect(ends.agent);
      const agent = await edition
        .createClient({
          info: { name: "client", version: "1.0.0" },
          gate: "diagnose",
          capabilities: { elicitation: { url: {} } },
          handlers: {
            "session/request_permission": ({ _meta: meta }) => {
              const { outcome } = meta as { readonly outcome: string };
              return { outcome: outcome === "cancelled" ? { outcome } : { outcome: "selected", optionId: outcome } };
            },
            "elicitation/create": () => ({ action: "accept" }),
          },
        })
        .connect(ends.client);
      await agent.request("session/new", newSessionParams(edition));
      const prompt = (word: string): Promise<unknown> =>
        agent.request("session/prompt", { sessionId, prompt: [{ type: "text", text: word }] });
      for (const reason of tagsOf(edition, "StopReason", "")) {
        await wire.step(`stop reason ${reason}`);
        await wire.outcome(reason, prompt(reason));
      }
      if (edition.version === 2) {
        await wire.step("a tool call and a terminal are cancelled");
        const turn = wire.outcome("prompt", prompt("cancel"));
        await wire.step("the tool call");
        await wire.outcome("tool call", agent.request("tool_call/cancel", { sessionId, toolCallId: "c" }));
        await wire.step("the terminal");
        await wire.outcome("terminal", agent.request("terminal/cancel", { sessionId, terminalId: "t" }));
        await turn;
      }
      await wire.step("updates");
      for (const update of updatesOf(edition)) await client?.notify("session/update", { sessionId, update });
      if (client !== undefined) await askAll(wire, edition, client);
      await agent.close();
    }),
  ];
}
