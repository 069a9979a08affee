import { createConnectionCheck as checkV1, type ConnectionCheck } from "@acp/validators/v1/strict";
import { createConnectionCheck as checkV1Unstable } from "@acp/validators/v1/unstable/strict";
import { createConnectionCheck as checkV2 } from "@acp/validators/v2/strict";
import { createConnectionCheck as checkV2Unstable } from "@acp/validators/v2/unstable/strict";

import { type Answer, type Call, type Finding, membersOf, type Side } from "../inspected.ts";
import { Advertised } from "./advertised.ts";
import { OpenSessions } from "./open-sessions.ts";

/** What the protocol says of the messages of one connection, in the version that both sides agree on. */
export class ConnectionRules {
  readonly #isStable: boolean;
  readonly #sessions = new OpenSessions();
  readonly #advertised = new Advertised(this.#sessions);
  #version = 1;
  #check: ConnectionCheck;
  /** The first message of the client, once it has come. */
  #opening: unknown;

  constructor(isStable: boolean) {
    this.#isStable = isStable;
    this.#check = this.#newCheck();
  }

  /** What is wrong with the next message, which is a call, or an answer if it is known to what. Takes note of it. */
  take(from: Side, message: unknown, what: { readonly call?: Call; readonly answer?: Answer | undefined }): Finding[] {
    const { call, answer } = what;
    if (call?.method === "initialize" && this.#opening === undefined) {
      this.#opening = message;
      this.#speak(Number(call.params["protocolVersion"]) >= 2 ? 2 : 1);
    }
    if (answer?.request.method === "initialize") this.#agree(membersOf(answer.result)["protocolVersion"]);
    let found = [...this.#check(from, message)];
    // An initialize for both versions has the members of the older one, too.
    if (call?.method === "initialize" && this.#version > 1)
      found = found.filter(({ path }) => !/^\/client(?:Capabilities|Info)$/u.test(path));
    if (call !== undefined) found.push(...this.#checkCall(call));
    if (answer !== undefined) found.push(...this.#checkAnswer(answer));
    return found;
  }

  #checkCall(call: Call): readonly Finding[] {
    if (call.method === "initialize") this.#advertised.opened(call.params);
    else if (this.#opening === undefined && !call.method.startsWith("_")) return [early];
    return [...this.#advertised.check(this.#version, call), ...this.#sessions.check(call)];
  }

  #checkAnswer(answer: Answer): readonly Finding[] {
    this.#sessions.answered(answer);
    return this.#advertised.answered(this.#version, answer);
  }

  #speak(version: number): void {
    this.#version = version;
    this.#check = this.#newCheck();
  }

  /** Goes on by the rules of the version that the agent has chosen. */
  #agree(chosen: unknown): void {
    if (chosen !== 1 || this.#version === 1) return;
    this.#speak(1);
    // It was for both versions; so what the older one does not know of it is not wrong.
    this.#check("client", this.#opening);
  }

  #newCheck(): ConnectionCheck {
    if (this.#version === 1) return this.#isStable ? checkV1() : checkV1Unstable();
    return this.#isStable ? checkV2() : checkV2Unstable();
  }
}

const early = { path: "/method", reason: "comes before initialize (INIT-01)" };
