import { at, textAt } from "@acp/testing";

import { expectThat, NotApplicable, reach } from "../../../engine/check.ts";
import { quote } from "../../../engine/quote.ts";
import { answerOf, expectComes, expectGoesOn, listAt, must, resultOf, should } from "../../agent-check.ts";
import type { AgentCheck, AgentContext } from "../../agent-context.ts";

const info = { name: "check", version: "1.0.0" };

/** The params of `initialize` of both versions at once: an agent must not mind what it does not know. */
function paramsFor(protocolVersion: unknown, capabilities: object = {}): object {
  return { protocolVersion, clientCapabilities: capabilities, capabilities, clientInfo: info, info };
}

/** Starts an agent and initializes it with these params. */
async function initialized(context: AgentContext, params: object): Promise<unknown> {
  const client = await context.start();
  return resultOf(await answerOf(client, "initialize", params), `initialize with ${quote(params)}`);
}

/** How a connection begins. */
export const initializing: readonly AgentCheck[] = [
  must({
    id: "answers-initialize",
    title: "An agent answers initialize with a version of the protocol",
    rules: ["INIT-05", "INIT-17", "CONV-05"],
    mend: "Answer the request initialize with a result that has protocolVersion, a whole number.",
    async run(context) {
      const client = await context.start();
      const version = at(await expectComes(client.initialize(), "It did not answer initialize"), "protocolVersion");
      const isVersion = typeof version === "number" && Number.isInteger(version) && version >= 0 && version <= 65_535;
      expectThat(isVersion, `protocolVersion is ${quote(version)}, not a whole number from 0 to 65535`);
    },
  }),
  must({
    id: "negotiates-an-unknown-version",
    title: "An agent answers a version that it does not know with the latest one that it speaks",
    rules: ["INIT-09", "ERR-09"],
    mend: "Never refuse initialize for its protocolVersion: answer with your own latest version, and let the client decide.",
    async run(context) {
      const version = at(await initialized(context, paramsFor(65_535)), "protocolVersion");
      expectThat(version === 1 || version === 2, `It answered version 65535 with version ${quote(version)}`);
    },
  }),
  must({
    id: "negotiates-version-zero",
    title: "An agent answers version 0, which it does not speak, with one that it speaks",
    rules: ["INIT-09", "ERR-09"],
    protocols: [1],
    mend: "Never refuse initialize for its protocolVersion: answer with your own latest version, and let the client decide.",
    async run(context) {
      const client = await context.start();
      const answer = await answerOf(client, "initialize", paramsFor(0));
      // Version 2 has an error for it, which an agent of both versions may use.
      if (at(answer.error, "code") === -32_022) return;
      const version = at(resultOf(answer, "initialize with version 0"), "protocolVersion");
      expectThat(typeof version === "number", `It answered version 0 with version ${quote(version)}`);
    },
  }),
  must({
    id: "keeps-the-version-it-speaks",
    title: "An agent that is asked for a version that it speaks answers with just that",
    rules: ["INIT-08", "INIT-11"],
    mend: "If you speak the protocolVersion of the request, answer with the same number.",
    async run(context) {
      const latest = at(
        await reach(initialized(context, paramsFor(65_535)), "It did not initialize"),
        "protocolVersion",
      );
      const version = at(await initialized(context, paramsFor(latest)), "protocolVersion");
      expectThat(
        version === latest,
        `It says that it speaks version ${quote(latest)}, but answered it with ${quote(version)}`,
      );
    },
  }),
  should({
    id: "names-itself",
    title: "An agent tells its name and version",
    rules: ["INIT-06"],
    mend: "Put agentInfo (info in version 2) with name and version into the result of initialize.",
    async run(context) {
      const { initialized: result } = await context.initialize();
      const named = at(result, "agentInfo") ?? at(result, "info");
      const isNamed = (textAt(named, "name") ?? "") !== "" && (textAt(named, "version") ?? "") !== "";
      expectThat(isNamed, `The result of initialize has ${quote(named)} where its name and version belong`);
    },
  }),
  must({
    id: "initializes-without-capabilities",
    title: "An agent takes a client that tells no capabilities for one without any",
    rules: ["INIT-03", "INIT-12"],
    protocols: [1],
    mend: "clientCapabilities may be absent. Read that as: no files, no terminals, nothing.",
    async run(context) {
      await initialized(context, { protocolVersion: 1 });
    },
  }),
  must({
    id: "ignores-unknown-capabilities",
    title: "An agent ignores capabilities that it does not know",
    rules: ["INIT-19", "INIT-13"],
    mend: "Read the members of capabilities that you know, and leave out all others.",
    async run(context) {
      const more = {
        hologram: { depth: 3 },
        fs: { teleport: true },
        session: { mood: {} },
        _meta: { "check.example": 1 },
      };
      await initialized(context, paramsFor(context.settings.protocol, more));
    },
  }),
  must({
    id: "offers-logins-with-id-and-name",
    title: "An agent gives each way to log in an id and a name, and offers terminals only to clients that have them",
    rules: ["AUTH-01", "AUTH-03"],
    mend: "Each entry of authMethods needs an id and a name. Leave out those of type terminal unless the client advertised auth.terminal.",
    async run(context) {
      const { initialized: result } = await context.initialize();
      const methods = listAt(result, "authMethods");
      if (methods.length === 0) throw new NotApplicable("The agent offers no way to log in");
      for (const method of methods) {
        const id = textAt(method, "id") ?? textAt(method, "methodId") ?? "";
        expectThat(id !== "" && (textAt(method, "name") ?? "") !== "", `authMethods has ${quote(method)}`);
        expectThat(
          at(method, "type") !== "terminal",
          `It offers a terminal, which the check has not: ${quote(method)}`,
        );
      }
    },
  }),
  must({
    id: "refuses-an-unknown-login",
    title: "An agent refuses to log in with a method that it does not offer",
    rules: ["AUTH-05"],
    mend: "Answer authenticate (auth/login in version 2) with error -32602 if methodId is none of your authMethods.",
    async run(context) {
      const { client, initialized: result } = await context.initialize();
      if (listAt(result, "authMethods").length === 0) throw new NotApplicable("The agent offers no way to log in");
      const method = context.settings.protocol === 1 ? "authenticate" : "auth/login";
      const answer = await answerOf(client, method, { methodId: "no-such-login" });
      expectThat(answer.error !== undefined, `It let the check log in by a method that it does not offer`);
      await expectGoesOn(context, client, "a login that it refused");
    },
  }),
  must({
    id: "login-opens-sessions",
    title: "After a login an agent opens sessions",
    rules: ["AUTH-07", "AUTH-11"],
    mend: "Answer authenticate with an object, and do not refuse session/new with -32000 afterwards.",
    async run(context) {
      const { login, protocol } = context.settings;
      if (login === undefined) throw new NotApplicable("No method to log in with was given");
      const client = await context.start();
      await reach(client.initialize(), "The agent did not initialize");
      const method = protocol === 1 ? "authenticate" : "auth/login";
      const result = resultOf(await answerOf(client, method, { methodId: login }), method);
      expectThat(typeof result === "object", `${method} resulted in ${quote(result)}, not in an object`);
      const { error } = await answerOf(client, "session/new", { cwd: context.settings.cwd, mcpServers: [] });
      expectThat(at(error, "code") !== -32_000, "It still wants a login after the login has succeeded");
    },
  }),
];
