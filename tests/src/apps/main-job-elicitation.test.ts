import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";

import { describe, expect, test } from "vitest";

import type { Message } from "../conformance/harness/raw-peer.ts";
import { clientProgram, referenceAgent, run, temporaryDirectory, waitFor } from "../support/main-job-programs.ts";
import { control, Terminal } from "../support/terminal/terminal.ts";

/** The client with a browser that writes down what it is opened with, and what it finds there. */
function open(
  directory: string,
  agent = referenceAgent,
): { readonly terminal: Terminal; readonly visits: () => string } {
  const browser = join(directory, "browser.mjs");
  const file = join(directory, "visits");
  const visit = `const url = process.argv[2]; const text = await (await fetch(url)).text();
import { writeFileSync } from "node:fs"; writeFileSync(${JSON.stringify(file)}, url + " " + text);`;
  writeFileSync(browser, visit);
  const env = { BROWSER: `${process.execPath} ${browser}`, NO_COLOR: "1" };
  return {
    terminal: new Terminal(directory, [clientProgram, "--plain", ...agent], env),
    visits: () => (existsSync(file) ? readFileSync(file, "utf8") : ""),
  };
}

/** What was on the wire of a method, by a file that the client has written. */
function traced(file: string, method: string): readonly Message[] {
  const lines = readFileSync(file, "utf8").trim().split("\n");
  return lines
    .map((line) => (JSON.parse(line) as { readonly message: Message }).message)
    .filter((message) => message.method === method);
}

/** A page on this machine that notes who looks at it. */
async function countingPage(): Promise<{
  readonly url: string;
  readonly visits: () => readonly string[];
  [Symbol.asyncDispose](): Promise<void>;
}> {
  const visits: string[] = [];
  const server = createServer((request, response) => {
    visits.push(request.url ?? "");
    response.end("Thank you");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = typeof address === "object" ? address?.port : undefined;
  return {
    url: `http://127.0.0.1:${port}/pay?order=1`,
    visits: () => visits,
    [Symbol.asyncDispose]: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

/** An agent in plain JSON that asks in each turn to open a URL, as the end of a command line. */
function agentAsking(directory: string, url: string): readonly string[] {
  const file = join(directory, "asking-agent.mjs");
  const question = { mode: "url", sessionId: "s", message: "Please pay", elicitationId: "e", url };
  writeFileSync(
    file,
    `import { createInterface } from "node:readline";
const send = (message) => process.stdout.write(JSON.stringify({ jsonrpc: "2.0", ...message }) + "\\n");
const answers = { initialize: { protocolVersion: 1 }, "session/new": { sessionId: "s" } };
let prompt;
for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, result } = JSON.parse(line);
  if (method === "session/prompt") {
    prompt = id;
    send({ id: "question", method: "elicitation/create", params: ${JSON.stringify(question)} });
  } else if (id === "question") {
    const content = { type: "text", text: "They chose " + result.action };
    send({ method: "session/update", params: { sessionId: "s", update: { sessionUpdate: "agent_message_chunk", content } } });
    send({ id: prompt, result: { stopReason: "end_turn" } });
  } else if (id !== undefined) send({ id, result: answers[method] ?? {} });
}
`,
  );
  return ["--", process.execPath, file];
}

describe("the agent's questions in a terminal", () => {
  test("ELIC-07/client, ELIC-15: a form is filled in, refused where it is wrong, reviewed, edited and sent", async () => {
    using directory = temporaryDirectory();
    const { terminal } = open(directory.path);
    await terminal.sees(/> $/u);
    terminal.type("form\r");
    // ELIC-23, ELIC-24: who asks, and what for
    await terminal.sees(/\? Reference agent asks: I need to know a few things about the project\.\n/u);
    await terminal.sees(/1 Fill it in\n +2 Decline\n +Your choice.*: $/u);
    terminal.type("1\r");
    await terminal.sees(/Name \(required, text\)\n\s+Your answer: $/u);
    terminal.type("\r");
    await terminal.sees(/It is required\n\s+Your answer: $/u);
    terminal.type("No Name\r");
    await terminal.sees(/It does not have the form that is asked for; its pattern is .*\n\s+Your answer: $/u);
    terminal.type("demo\r");
    await terminal.sees(/Contact \(email\)\n\s+Where to send reports\n\s+Your answer: $/u);
    terminal.type("nobody\r");
    await terminal.sees(/It should be a mail address\n\s+Your answer: $/u);
    terminal.type("\r");
    await terminal.sees(/1 JavaScript\n\s+2 TypeScript \*\n[^]*Your choice \[TypeScript\]: $/u);
    terminal.type("1\r");
    await terminal.sees(/Packages \(whole number\)\n\s+Your answer \[1\]: $/u);
    terminal.type("2.5\r");
    await terminal.sees(/It should be a whole number\n\s+Your answer \[1\]: $/u);
    terminal.type("3\r");
    await terminal.sees(/Numbers, with commas between \[node\]: $/u);
    terminal.type("1, 3\r");
    await terminal.sees(/1 yes \*\n\s+2 no\n[^]*Your choice \[yes\]: $/u);
    terminal.type("\r");
    await terminal.sees(/You are about to send:/u);
    await terminal.sees(/1 Send\n +2 Edit\n +3 Decline\n +Your choice.*: $/u);
    terminal.type("e\r");
    await terminal.sees(/Your answer \[demo\]: $/u);
    terminal.type("other\r");
    for (const hint of [/answer: $/u, /\[JavaScript\]: $/u, /answer \[3\]: $/u, /\[node, bun\]: $/u, /\[yes\]: $/u]) {
      await terminal.sees(hint);
      terminal.type("\r");
    }
    await terminal.sees(/1 Send\n +2 Edit\n +3 Decline\n +Your choice.*: $/u);
    terminal.type("s\r");
    const said = await terminal.sees(/You have filled in:[^■]*■ end_turn/u);
    const json = /\{[^■]*\}/u.exec(said)?.[0].replaceAll(/\s*\n\s*/gu, "") ?? "";
    expect(JSON.parse(json)).toEqual({
      name: "other",
      language: "js",
      packages: 3,
      targets: ["node", "bun"],
      private: true,
    });
    terminal.type("/quit\r");
    expect(await terminal.ended).toBe(0);
  });

  test("ELIC-13, ELIC-16: a form is declined at once, or left in the middle; the agent continues without it", async () => {
    using directory = temporaryDirectory();
    const { terminal } = open(directory.path);
    await terminal.sees(/> $/u);
    terminal.type("form\r");
    await terminal.sees(/1 Fill it in\n +2 Decline\n +Your choice.*: $/u);
    terminal.type("d\r");
    await terminal.sees(/You would rather not say\./u);
    await terminal.sees(/> $/u);
    terminal.type("form\r");
    await terminal.sees(/1 Fill it in\n +2 Decline\n +Your choice.*: $/u);
    terminal.type("1\r");
    await terminal.sees(/Your answer: $/u);
    terminal.type("/cancel\r");
    await terminal.sees(/This cannot be sent yet:[^]*1 Edit\n +2 Decline\n +Your choice.*: $/u);
    terminal.type("\r");
    await terminal.sees(/You have closed the form\./u);
    await terminal.sees(/> $/u);
    terminal.type("form\r");
    await terminal.sees(/1 Fill it in\n +2 Decline\n +Your choice.*: $/u);
    terminal.type(control("C"));
    await terminal.sees(/■ cancelled/u);
    await terminal.sees(/> $/u);
    terminal.type("/quit\r");
    expect(await terminal.ended).toBe(0);
  });

  test("ELIC-23, ELIC-29: all of a URL is shown with its host and its oddities, and nothing is opened without consent", async () => {
    using directory = temporaryDirectory();
    const { terminal, visits } = open(directory.path);
    await terminal.sees(/> $/u);
    terminal.type("visit\r");
    await terminal.sees(/\? Reference agent asks: Please open this page\./u);
    await terminal.sees(/http:\/\/127\.0\.0\.1:\d+\/[-\da-f]{36}\n/u);
    await terminal.sees(/Host: 127\.0\.0\.1\n/u);
    await terminal.sees(/! The connection is not encrypted\n/u);
    await terminal.sees(/! The host is a number instead of a name\n/u);
    await terminal.sees(/! The host is on this machine or in its network\n/u);
    await terminal.sees(/1 Open it in your browser\n +2 Decline\n +Your choice.*: $/u);
    terminal.type("d\r");
    await terminal.sees(/You would rather not open it\./u);
    await terminal.sees(/> $/u);
    expect(visits()).toBe("");
    terminal.type("/quit\r");
    expect(await terminal.ended).toBe(0);
  });

  test("ELIC-27: nobody looks at a URL before the user agrees, whose browser is all that opens it", async () => {
    using directory = temporaryDirectory();
    await using page = await countingPage();
    const { terminal } = open(directory.path, agentAsking(directory.path, page.url));
    for (const [answer, action, count] of [
      ["d", "decline", 0],
      ["o", "accept", 1],
    ] as const) {
      await terminal.sees(/> $/u);
      terminal.type("go\r");
      expect(await terminal.sees(/1 Open it in your browser\n +2 Decline\n +Your choice.*: $/u)).toContain(
        `${page.url}\n`,
      );
      expect(page.visits()).toEqual([]);
      terminal.type(`${answer}\r`);
      await terminal.sees(new RegExp(`They chose ${action}`, "u"));
      await terminal.sees(/■ end_turn/u);
      await waitFor(() => String(page.visits().length), new RegExp(String(count), "u"));
    }
    await terminal.sees(/> $/u);
    terminal.type("/quit\r");
    expect(await terminal.ended).toBe(0);
    expect(page.visits()).toEqual(["/pay?order=1"]);
  });

  test("ELIC-19: a URL is opened after consent, and the agent tells when it is done there", async () => {
    using directory = temporaryDirectory();
    const trace = join(directory.path, "trace");
    const { terminal, visits } = open(directory.path, ["--trace", trace, ...referenceAgent]);
    await terminal.sees(/> $/u);
    terminal.type("visit\r");
    const shown = await terminal.sees(/http:\/\/127\.0\.0\.1:\d+\/[-\da-f]{36}\n/u);
    await terminal.sees(/1 Open it in your browser\n +2 Decline\n +Your choice.*: $/u);
    terminal.type("o\r");
    await terminal.sees(/The agent says that this is done/u);
    await terminal.sees(/You have opened the page\./u);
    const url = /http:\S+/u.exec(shown)?.[0] ?? "";
    expect(await waitFor(visits, /Thank you/u)).toContain(url);
    await terminal.sees(/> $/u);
    terminal.type("/quit\r");
    expect(await terminal.ended).toBe(0);
    const { elicitationId } = traced(trace, "elicitation/create")[0]?.params ?? {};
    expect(traced(trace, "elicitation/complete").map(({ params }) => params)).toEqual([{ elicitationId }]);
  });

  test("ELIC-01, ELIC-03: with nobody to ask, nothing is advertised, and the agent reports that it could not ask", async () => {
    using directory = temporaryDirectory();
    const trace = join(directory.path, "trace");
    const args = [clientProgram, "--prompt", "form", "--cwd", directory.path, "--trace", trace, ...referenceAgent];
    const { code, stdout } = await run(args);
    expect(stdout.replaceAll(/\s+/gu, " ")).toContain(
      "I could not show the form: elicitation/create needs elicitation.form",
    );
    expect(code).toBe(0);
    expect(traced(trace, "initialize")[0]?.params.clientCapabilities.elicitation).toBeUndefined();
    expect(traced(trace, "elicitation/create")).toEqual([]);
  });
});
