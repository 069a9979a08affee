import type { Method } from "../../model/protocol-model.ts";
import { definitionText, unstable } from "./definition-text.ts";
import type { Edition } from "./edition.ts";
import { methodExamples } from "./example-text.ts";
import { gateText } from "./gate-text.ts";
import { blocks, table } from "./markdown.ts";

const directions = {
  agent: "client to agent",
  client: "agent to client",
  protocol: "either direction",
  proxy: "along a chain of proxies",
} as const;

const handlers = { agent: "agent", client: "client", protocol: "receiver", proxy: "receiver" } as const;

/** The section of a method: who sends it to whom, what it needs, its params and result. */
export function methodText(method: Method, edition: Edition): string {
  const definitions = [method.params, method.result].flatMap((name) =>
    name === undefined ? [] : (edition.model.definitions.get(name) ?? []),
  );
  return blocks(
    `## ${edition.methodHeading(method)}`,
    edition.isUnstable(method.params) ? unstable : undefined,
    [`- Direction: ${directions[method.side]}`, `- Kind: ${method.kind}`, needsText(method), ...orderTexts(method)]
      .filter((line) => line !== "")
      .join("\n"),
    ...definitions.map((definition) => definitionText(definition, edition, "###")),
    methodExamples(method, edition),
  );
}

/** All methods in one table. */
export function methodTable(edition: Edition): string {
  return table(
    ["Method", "Kind", "Direction", "Requires"],
    edition
      .methods()
      .map((method) => [
        edition.linkToMethod(method) + (edition.isUnstable(method.params) ? ` ${unstable}` : ""),
        method.kind,
        directions[method.side],
        method.gates.map((gate) => gateText(gate, handlers[method.side])).join("; "),
      ]),
  );
}

function needsText(method: Method): string {
  const gates = method.gates.map((gate) => gateText(gate, handlers[method.side]));
  return gates.length === 0 ? "" : `- Requires: ${gates.join("; ")}`;
}

function orderTexts(method: Method): readonly string[] {
  return [
    method.opensSession === undefined ? "" : `- Opens a session; its id is in the ${method.opensSession}`,
    method.endsSession === true ? "- Closes the session that its params name" : "",
    method.endsTurn === true ? "- The client handles the response after all updates that the agent sent before it" : "",
    method.unqueued === true ? "- Handled as soon as it arrives, before queued messages" : "",
  ];
}
