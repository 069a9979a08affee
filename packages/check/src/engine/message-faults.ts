import { createInspector } from "@acp/inspect";
import type { Traffic } from "@acp/testing";

import { quote } from "./quote.ts";

/** What is wrong with the messages of one side, each in words. */
export interface MessageFaults {
  /** What no version of the protocol allows. */
  readonly wrong: readonly string[];
  /** Names that this version does not have: the peer's own, which is wrong, or those of a newer draft, which is not. */
  readonly unknown: readonly string[];
}

/**
 * Finds what is wrong with the messages that came. All names that do not begin with `_` are reserved for the protocol, which
 * gets new ones without a new version number (INIT-19, EXT-02). So nobody can tell a peer's own name from one of a newer draft.
 */
export function findFaults(traffic: readonly Traffic[], peer: "agent" | "client"): MessageFaults {
  const inspector = createInspector();
  const wrong: string[] = [];
  const unknown: string[] = [];
  for (const { direction, text, message } of traffic) {
    const from = direction === "received" ? peer : otherSide[peer];
    const { findings, method, kind } = inspector.take(from, message ?? text);
    if (direction === "sent") continue;
    const open = new Set(findings.filter(({ reason }) => openValue.test(reason)).map(({ path }) => path));
    for (const { path, reason, isHint } of findings) {
      if (isHint === true) continue;
      const faults = ownMember.test(reason) || open.has(path) ? unknown : wrong;
      faults.push(`${method ?? kind}${path === "" ? "" : ` at ${path}`} ${reason}: ${quote(message ?? text)}`);
    }
  }
  return { wrong, unknown };
}

const otherSide = { agent: "client", client: "agent" } as const;

/** How the inspector says that it does not know a member, or a value where others may be added. */
const ownMember = /is no member of the protocol$/u;
const openValue = /which begins with _$/u;
