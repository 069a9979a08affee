import { at, pause } from "@acp/testing";

import { CheckFailure, expectThat } from "../../engine/check.ts";
import { hostile, must, should } from "../client-check.ts";
import type { ClientCheck, ClientContext } from "../client-context.ts";
import { bareCapabilities, startTurn, worksWith } from "../turns.ts";

/** The checks of how a connection begins. */
export const initializing: readonly ClientCheck[] = [
  must({
    id: "turn-works",
    title: "A client gets through a whole turn: initialize, session/new, session/prompt",
    rules: ["CHK-08", "INIT-01", "PROM-01"],
    mend: "Send initialize, then session/new, then session/prompt; show agent_message_chunk; end when the turn has ended.",
    run: (context) => worksWith(context, {}),
  }),
  must({
    id: "initialize-comes-first",
    title: "A client waits for the answer to initialize before it sends anything else",
    rules: ["INIT-01", "PROM-01"],
    mend: "Wait for the answer to initialize before you send session/new, session/load or session/prompt.",
    async run(context) {
      let early: readonly (string | undefined)[] = [];
      const look = (): [] => {
        early = context.peer().received.map(({ method }) => method);
        return [];
      };
      await startTurn(context, [], {
        answers: {
          initialize: function* () {
            // What is sent too early is there by now, or it was not sent by itself.
            yield pause(100);
            yield* look();
          },
        },
      });
      expectThat(
        early.length === 1 && early[0] === "initialize",
        `Before initialize was answered, the client had sent: ${early.join(", ")}`,
      );
    },
  }),
  must({
    id: "initialize-names-a-version",
    title: "initialize names a version of the protocol, a whole number",
    rules: ["INIT-02", "INIT-03", "CONV-05"],
    mend: "Send protocolVersion as a number from 0 to 65535, and capabilities as an object.",
    async run(context) {
      await startTurn(context, []);
      const [first] = context.peer().calls("initialize");
      const version = at(first, "params", "protocolVersion");
      expectThat(
        Number.isInteger(version) && Number(version) >= 0 && Number(version) <= 65_535,
        `params.protocolVersion is ${JSON.stringify(version) ?? "absent"}`,
      );
      const told = at(first, "params", context.settings.protocol === 2 ? "capabilities" : "clientCapabilities");
      expectThat(
        told === undefined || (typeof told === "object" && told !== null),
        `The capabilities are no object: ${JSON.stringify(told)}`,
      );
    },
  }),
  should({
    id: "client-tells-its-name",
    title: "initialize tells the client's name and version",
    rules: ["INIT-04"],
    mend: 'Send "clientInfo": {"name": …, "version": …} with initialize ("info" in version 2).',
    async run(context) {
      await startTurn(context, []);
      const [first] = context.peer().calls("initialize");
      const info = at(first, "params", context.settings.protocol === 2 ? "info" : "clientInfo");
      expectThat(
        typeof at(info, "name") === "string" && typeof at(info, "version") === "string",
        `The client does not tell its name and version, but ${JSON.stringify(info) ?? "nothing"}`,
      );
    },
  }),
  should({
    id: "initialize-is-sent-once",
    title: "A client initializes its connection once",
    rules: ["INIT-20"],
    mend: "Send initialize once, at the beginning of a connection.",
    async run(context) {
      await startTurn(context, []);
      const count = context.peer().calls("initialize").length;
      expectThat(count === 1, `initialize came ${count} times`);
    },
  }),
  ...[0, "next" as const, 65_535].map((version) => refusedVersion(version)),
  must({
    id: "unknown-capabilities-are-ignored",
    title: "A client ignores capabilities and members of the answer to initialize that it does not know",
    rules: ["INIT-19"],
    mend: "Ignore members that you do not know; do not reject the answer.",
    async run(context) {
      const capabilities = {
        ...bareCapabilities(context),
        _meta: { "example.com/new": true },
        teleport: { far: true },
        promptCapabilities: { smell: true },
      };
      const run = await context.play([], {
        capabilities,
        initialize: { mood: "good", _meta: { "example.com/hello": 1 } },
      });
      await run.goesOn();
    },
  }),
  hostile({
    id: "bare-answer-to-initialize",
    title: "A client works with an agent that tells no capabilities, no name and no ways to log in",
    rules: ["INIT-12", "INIT-13"],
    protocols: [1],
    mend: "Take absent capabilities, agentInfo and authMethods as none.",
    async run(context) {
      const run = await context.play([], {
        initialize: { agentCapabilities: undefined, agentInfo: undefined, authMethods: undefined },
      });
      await run.goesOn();
      await run.endsWell();
    },
  }),
];

/** An agent chooses a version that the client does not speak. */
function refusedVersion(version: number | "next"): ClientCheck {
  const name = version === "next" ? "a-newer-version" : `version-${version}`;
  return should({
    id: `${name}-ends-it`,
    title: `A client ends the connection with an agent that chooses ${version === "next" ? "a newer version than was offered" : `version ${version}`}, and says so`,
    rules: ["INIT-10"],
    seen: "https://github.com/openonion/connectonion/issues/979",
    mend: "Compare protocolVersion of the answer to initialize with the versions you speak. Close the connection if it is none, and tell your user why.",
    async run(context) {
      const protocolVersion = version === "next" ? context.settings.protocol + 1 : version;
      const run = await context.play([], { initialize: { protocolVersion } });
      const { peer, ended } = await run.process();
      const left = Promise.race([ended, run.program.exited]).then(() => undefined);
      const outcome = await run.soon(
        Promise.race([sessionCall(context), left]),
        `With version ${protocolVersion}, the client neither ended the connection nor went on`,
      );
      if (outcome !== undefined || peer.calls("session/new").length > 0) {
        throw new CheckFailure(
          `The agent has chosen version ${protocolVersion}, and the client went on with session/new`,
        );
      }
      await run.endsWithReason();
    },
  });
}

function sessionCall(context: ClientContext): Promise<string> {
  const peer = context.peer();
  return peer.when(() => peer.received.find(({ method }) => method?.startsWith("session/"))?.method);
}
