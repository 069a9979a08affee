import { createConnectionCheck as checkV1, type ConnectionCheck } from "@acp/validators/v1/strict";
import { createConnectionCheck as checkV1Unstable } from "@acp/validators/v1/unstable/strict";
import { createConnectionCheck as checkV2 } from "@acp/validators/v2/strict";
import { createConnectionCheck as checkV2Unstable } from "@acp/validators/v2/unstable/strict";

import { type Answer, type Call, type Finding, isOpening, type Members, membersOf, type Side } from "../inspected.ts";
import { Advertised } from "./advertised.ts";
import { MessageIds } from "./message-ids.ts";
import { OpenSessions } from "./open-sessions.ts";
import { Permissions } from "./permission.ts";

/** How many messages are kept before the sides agree on a version: there are hardly any. */
const mostBefore = 100;

/** The rules for the messages of one connection, in the version that both sides agree on. */
export class ConnectionRules {
  readonly #isStable: boolean;
  readonly #sessions = new OpenSessions();
  readonly #advertised = new Advertised(this.#sessions);
  readonly #permissions = new Permissions();
  readonly #messageIds = new MessageIds();
  #version: 1 | 2 = 1;
  #check: ConnectionCheck;
  /** The messages before the sides agreed on a version. */
  #before: [Side, unknown][] = [];
  #hasBegun = false;
  #isAgreed = false;

  constructor(isStable: boolean) {
    this.#isStable = isStable;
    this.#check = this.#newCheck();
  }

  /** Finds what is wrong with the next message, which is a call, or an answer if its request is known, and records it. */
  take(from: Side, message: unknown, what: { readonly call?: Call; readonly answer?: Answer | undefined }): Finding[] {
    const { call, answer } = what;
    const isRepeated = call !== undefined && isOpening(call.method) && this.#isAgreed;
    if (call !== undefined && isOpening(call.method)) this.#begin(call.params);
    if (answer !== undefined && isOpening(answer.request.method) && answer.result !== undefined)
      this.#agree(membersOf(answer.result));
    let found = [...this.#check(from, message)];
    if (!this.#isAgreed && this.#before.length < mostBefore) this.#before.push([from, message]);
    // An initialize for both versions has the members of the older one, too.
    if (call !== undefined && isOpening(call.method) && this.#version > 1)
      found = found.filter(({ path }) => !/^\/client(?:Capabilities|Info)$/u.test(path));
    if (isRepeated) found.push(repeated);
    if (call !== undefined) found.push(...this.#checkCall(call));
    if (answer !== undefined) found.push(...this.#checkAnswer(answer));
    return found;
  }

  #checkCall(call: Call): readonly Finding[] {
    this.#permissions.called(call);
    if (isOpening(call.method)) this.#advertised.opened(call.params);
    else if (!this.#hasBegun && !call.method.startsWith("_")) return [early];
    const found = [...this.#advertised.check(this.#version, call), ...this.#sessions.check(call)];
    return [...found, ...this.#messageIds.check(call)];
  }

  #checkAnswer(answer: Answer): readonly Finding[] {
    this.#sessions.answered(answer);
    return [...this.#advertised.answered(this.#version, answer), ...this.#permissions.answered(answer, this.#version)];
  }

  /** A client starts, or starts again because the first attempt failed. */
  #begin({ protocolVersion }: Members): void {
    this.#hasBegun = true;
    if (!this.#isAgreed) this.#speak(typeof protocolVersion === "number" && protocolVersion >= 2 ? 2 : 1);
  }

  /** Continues with the rules of the version that the agent has chosen. */
  #agree({ protocolVersion }: Members): void {
    if (!this.#isAgreed) this.#speak(typeof protocolVersion === "number" && protocolVersion >= 2 ? 2 : 1);
    this.#isAgreed = true;
    this.#before = [];
  }

  #speak(version: 1 | 2): void {
    if (version === this.#version) return;
    this.#version = version;
    this.#check = this.#newCheck();
    // Earlier messages were reported already; only their pending requests matter.
    for (const [from, message] of this.#before) this.#check(from, message);
  }

  #newCheck(): ConnectionCheck {
    if (this.#version === 1) return this.#isStable ? checkV1() : checkV1Unstable();
    return this.#isStable ? checkV2() : checkV2Unstable();
  }
}

const early = { path: "/method", reason: "comes before initialize (INIT-01)" };
const repeated = { path: "/method", reason: "was called before: a connection has one initialize (INIT-20)" };
