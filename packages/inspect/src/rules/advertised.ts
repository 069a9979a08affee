import { concerns, describeGate, type Gate, isGateOpen, type RoleTable } from "@acp/schema";
import { agentTable as agentV1, clientTable as clientV1 } from "@acp/schema/v1/unstable";
import { agentTable as agentV2, clientTable as clientV2 } from "@acp/schema/v2/unstable";

import {
  type Answer,
  type Call,
  type Finding,
  isOpening,
  type Members,
  membersOf,
  otherSide,
  type Side,
} from "../inspected.ts";
import type { OpenSessions } from "./open-sessions.ts";
import { type Variant, variantsInParams, variantsInResult } from "./variants.ts";

const tables: Readonly<Record<number, Readonly<Record<Side, RoleTable>>>> = {
  1: { agent: agentV1, client: clientV1 },
  2: { agent: agentV2, client: clientV2 },
};

/** What both sides have advertised in `initialize`, and which later messages need it (INIT-12). */
export class Advertised {
  readonly #sessions: OpenSessions;
  #opening: Members = {};
  /** The result of `initialize`; before it, the agent's capabilities are unknown. */
  #answer: Members | undefined;

  constructor(sessions: OpenSessions) {
    this.#sessions = sessions;
  }

  opened(params: Members): void {
    this.#opening = params;
  }

  /** Finds what a call needs and the other side did not advertise. */
  check(version: number, call: Call): readonly Finding[] {
    if (this.#answer === undefined) return [];
    const receiver = otherSide(call.from);
    const { handles, variants, setup = {} } = tables[version]![receiver];
    const kinds = call.id === undefined ? handles.notifications : handles.requests;
    const gates = Object.hasOwn(kinds, call.method) ? (kinds[call.method]!.gates ?? []) : [];
    const findings = this.#closed(version, call, gates).map((reason) => ({ path: "/method", reason }));
    findings.push(...this.#refused(version, call, variants, variantsInParams(call)));
    for (const [member, ofMember] of receiver === "agent" ? Object.entries(setup) : []) {
      const value = call.params[member];
      if (value == null || (Array.isArray(value) && value.length === 0)) continue;
      const closed = this.#closed(version, { ...call, params: membersOf(value) }, ofMember);
      findings.push(...closed.map((reason) => ({ path: `/${member}`, reason })));
    }
    return findings;
  }

  /** The same for an answer. */
  answered(version: number, { request, result }: Answer): readonly Finding[] {
    if (isOpening(request.method) && result !== undefined) this.#answer = membersOf(result);
    if (this.#answer === undefined) return [];
    const { variants } = tables[version]![request.from];
    const call = { ...request, from: otherSide(request.from), params: membersOf(result) };
    return this.#refused(version, call, variants, variantsInResult(call.params));
  }

  #refused(
    version: number,
    call: Call,
    gates: RoleTable["variants"],
    variants: Iterable<Variant>,
  ): { path: string; reason: string }[] {
    return [...variants].flatMap(({ union, tag, path }) => {
      const ofUnion = gates[union] ?? {};
      if (typeof tag !== "string" || !Object.hasOwn(ofUnion, tag)) return [];
      return this.#closed(version, call, [ofUnion[tag]!]).map((reason) => ({ path, reason }));
    });
  }

  /** Why a message may not be sent. */
  #closed(version: number, call: Call, gates: readonly Gate[]): string[] {
    return gates
      .filter((gate) => concerns(gate, call.params) && !this.#isOpen(version, call, gate))
      .map((gate) => {
        const by = gate.kind === "capability" && gate.by === "caller" ? call.from : otherSide(call.from);
        return `needs ${describeGate(gate)}, which the ${by} did not advertise (INIT-12)`;
      });
  }

  #isOpen(version: number, { from, params }: Call, gate: Gate): boolean {
    if (gate.kind === "capability") {
      return isGateOpen(gate, this.#capabilities(version, from), this.#capabilities(version, otherSide(from)));
    }
    if (gate.kind === "session") return this.#sessions.offers(params["sessionId"], gate.member);
    const { authMethods } = this.#answer ?? {};
    const methods = Array.isArray(authMethods) ? authMethods.map(membersOf) : [];
    if (gate.type === undefined) return methods.length > 0;
    return methods.some(({ id, type }) => id === params["methodId"] && (type ?? "agent") === gate.type);
  }

  #capabilities(version: number, side: Side): unknown {
    const initialized = side === "client" ? this.#opening : this.#answer;
    return initialized?.[version === 1 ? `${side}Capabilities` : "capabilities"];
  }
}
