import type { UIMessageChunk } from "ai";
import { type AgentPlan, isPlanCall } from "../model/plans.ts";
import type { AgentDiff } from "../model/shown-call.ts";
import { isObject } from "../values.ts";

/**
 * The data parts of an agent's answer, for the type of your messages: `UIMessage<unknown, AgentDataParts>`. A part
 * `data-plan` is a plan as it is now, and `data-diff` the change of a file by the tool call with this id.
 */
// A type, since an interface is no record of data.
export type AgentDataParts = {
  plan: AgentPlan;
  diff: AgentDiff & { readonly toolCallId: string };
};

/**
 * Turns what a UI gets of an {@link acpProvider} into data parts where there is a type for it: plans, which are calls of a
 * tool `plan` otherwise, and the changes of files.
 *
 * ```ts
 * const stream = result.toUIMessageStream().pipeThrough(agentDataParts());
 * return createUIMessageStreamResponse({ stream });
 * ```
 */
export function agentDataParts(): TransformStream<UIMessageChunk, UIMessageChunk<unknown, AgentDataParts>> {
  return new TransformStream({
    transform(chunk, controller) {
      if ("toolCallId" in chunk && isPlanCall(chunk.toolCallId)) {
        if (chunk.type !== "tool-output-available") return;
        const { toolCallId: id, output } = chunk;
        if (isPlan(output)) controller.enqueue({ type: "data-plan", id, data: output });
        return;
      }
      controller.enqueue(chunk as UIMessageChunk<unknown, AgentDataParts>);
      if (chunk.type !== "tool-output-available") return;
      const { toolCallId } = chunk;
      for (const diff of diffsIn(chunk)) {
        controller.enqueue({ type: "data-diff", id: `${toolCallId} ${diff.path}`, data: { ...diff, toolCallId } });
      }
    },
  });
}

function diffsIn(chunk: object): AgentDiff[] {
  const metadata = "providerMetadata" in chunk ? chunk.providerMetadata : undefined;
  const acp = isObject(metadata) ? metadata["acp"] : undefined;
  const diffs: unknown = isObject(acp) ? acp["diffs"] : undefined;
  return Array.isArray(diffs) ? diffs.filter(isDiff) : [];
}

function isPlan(value: unknown): value is AgentPlan {
  return isObject(value) && Array.isArray(value["entries"]);
}

function isDiff(value: unknown): value is AgentDiff {
  return isObject(value) && typeof value["path"] === "string";
}
