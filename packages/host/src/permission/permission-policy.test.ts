import { UsageError } from "@acp/core";
import { describe, expect, test } from "vitest";

import type { Runtime } from "../runtime/runtime.ts";
import { fileTable } from "../testing/file-table.ts";
import { arePlainWords, findRule, requireRule } from "./match-rule.ts";
import { createPermissionPolicy, type PermissionPolicyOptions } from "./permission-policy.ts";
import type { PermissionRule, PolicyAction, PolicyDecision } from "./policy-action.ts";

const none = (): never => {
  throw new Error("Not used");
};
const runtime: Runtime = {
  platform: "posix",
  caseInsensitivePaths: false,
  environment: none,
  spawn: none,
  startInForeground: none,
  files: fileTable({
    directories: ["/", "/p", "/p/src", "/q"],
    links: { "/p/out": "/q", "/p/nowhere": "/gone/x" },
  }).files,
};
const session = { id: "s", cwd: "/p", additionalDirectories: [], signal: new AbortController().signal };
const context = { session, signal: session.signal };

function action(more: Partial<PolicyAction>): PolicyAction {
  const nothing = { kinds: ["other"], commands: [], variables: [], paths: [], unresolved: [] };
  return { source: "terminal", sessionId: "s", ...nothing, ...more };
}

async function isFor(rule: PermissionRule, more: Partial<PolicyAction>): Promise<boolean> {
  return (await findRule(runtime, [rule], action(more), session)) !== undefined;
}

describe("findRule()", () => {
  const run = (command: string | readonly string[], more: Partial<PolicyAction> = {}): Partial<PolicyAction> => ({
    kinds: ["execute"],
    commands: [command],
    ...more,
  });
  const path = { name: "PATH", value: "/q" };
  const [test1, log] = [
    ["npm", "test"],
    ["git", "log"],
  ];

  test.each<[PermissionRule, Partial<PolicyAction>, boolean]>([
    [{ command: test1, then: "allow" }, run(test1), true],
    [{ command: test1, then: "allow" }, run("npm test"), true],
    [{ command: test1, then: "allow" }, run("npm  test"), false],
    [{ command: test1, then: "allow" }, run([...test1, "x"]), false],
    [{ command: log, moreArguments: true, then: "allow" }, run([...log, "-1"]), true],
    [{ command: log, moreArguments: true, then: "allow" }, run(log), true],
    [{ command: log, moreArguments: true, then: "allow" }, run("git log"), false],
    [{ command: ["echo", "a b"], then: "allow" }, run("echo a b"), false],
    [{ command: ["A=b", "npm"], then: "allow" }, run("A=b npm"), false],
    [{ line: "npm test", then: "allow" }, run("npm test"), true],
    [{ line: "npm test", then: "allow" }, run(test1), false],
    [{ line: "a; b", then: "allow" }, run("a; b\n"), false],
    [{ kind: "execute", then: "allow" }, run("anything"), true],
    [{ kind: "read", then: "allow" }, run("anything", { kinds: ["read", "execute"] }), false],
    [{ kind: ["read", "execute"], then: "allow" }, run("x", { kinds: ["read", "execute"] }), true],
    [{ kind: "execute", then: "allow" }, run("anything", { variables: [path] }), true],
    [{ within: "/p", then: "allow" }, run("rm -rf /", { paths: ["/p"] }), false],
    [{ within: "/p", then: "allow" }, { kinds: ["execute"], paths: ["/p"] }, false],
    [{ within: "/p", then: "allow" }, { kinds: ["delete"], paths: ["/p/x"] }, true],
    [{ command: test1, then: "allow" }, run(test1, { kinds: ["execute", "edit"] }), false],
    [{ command: test1, then: "allow" }, run(test1, { variables: [path] }), false],
    [
      { command: test1, variables: ["CI"], then: "allow" },
      run(test1, { variables: [{ name: "CI", value: "1" }] }),
      true,
    ],
    [{ command: test1, then: "allow" }, run(test1, { commands: [test1, "rm"] }), false],
    [{ command: test1, then: "reject" }, run(test1, { commands: ["rm", test1], variables: [path] }), true],
    [{ command: test1, then: "allow" }, { kinds: ["execute"] }, false],
    [{ kind: "read", within: "/p", then: "allow" }, { kinds: ["read"], paths: ["/p/src"] }, true],
    [{ kind: "read", within: "/p", then: "allow" }, { kinds: ["read"], paths: ["/p/src", "/q"] }, false],
    [{ kind: "read", within: "/p", then: "reject" }, { kinds: ["read"], paths: ["/p/src", "/q"] }, true],
    [{ kind: "read", within: "/p", then: "allow" }, { kinds: ["read"], paths: [] }, false],
    [{ kind: "read", within: "/p", then: "allow" }, { kinds: ["read"], paths: ["/p"], unresolved: ["x"] }, false],
    [{ kind: "read", within: "/p", then: "ask" }, { kinds: ["read"], unresolved: ["x"] }, true],
    [{ kind: "read", within: "/p/out", then: "allow" }, { kinds: ["read"], paths: ["/q/x"] }, true],
    [{ kind: "read", within: "/p/nowhere", then: "allow" }, { kinds: ["read"], paths: ["/gone/x"] }, false],
    [{ kind: "read", within: ({ cwd }) => [cwd ?? ""], then: "allow" }, { kinds: ["read"], paths: ["/p/x"] }, true],
  ])("%j for %j: %j", async (rule, asked, expected) => {
    expect(await isFor(rule, asked)).toBe(expected);
  });

  test("returns the first rule that matches", async () => {
    const rules: PermissionRule[] = [
      { kind: "read", then: "ask" },
      { kind: "execute", then: "reject" },
      { kind: "execute", then: "allow" },
    ];
    expect(await findRule(runtime, rules, action(run("x")), session)).toBe(rules[1]);
  });
});

test.each<PermissionRule>([
  { then: "allow" },
  { then: "maybe" as "allow", kind: "read" },
  { then: "allow", command: [] },
  { then: "allow", line: "" },
  { then: "allow", line: "a", command: ["a"] },
  { then: "allow", kind: "read", moreArguments: true },
  { then: "allow", within: "p" },
])("requireRule() refuses %j", (rule) => {
  expect(() => requireRule(runtime, rule)).toThrow(UsageError);
});

test.each([
  [["npm", "test"], true],
  [["./x", "--a=b", "c,d:e@1"], true],
  [["a;b"], false],
  [["a", "b c"], false],
  [["a", "~"], false],
  [["a", "*"], false],
  [["a", "{b,c}"], false],
  [["a", "%PATH%"], false],
  [["A=b", "c"], false],
  [["a", ""], false],
  [["a", "b\n"], false],
  [[], false],
])("arePlainWords() classifies %j as %j", (words, expected) => {
  expect(arePlainWords(words)).toBe(expected);
});

describe("permissionPolicy()", () => {
  const kinds = ["reject_always", "reject_once", "allow_always", "allow_once"];
  const offer = (...wanted: string[]) => wanted.map((kind) => ({ optionId: kind, name: kind, kind }));
  const question = (kind: string, options = offer(...kinds)) => ({
    sessionId: "s",
    toolCall: { toolCallId: "c", kind },
    options,
  });
  const rules: PermissionRule[] = [
    { kind: "read", then: "allow" },
    { kind: "edit", then: "reject" },
    { kind: "fetch", then: "ask" },
  ];
  const policyOf = (more: Partial<PermissionPolicyOptions> = {}) => {
    const decisions: PolicyDecision[] = [];
    const onDecision = (decision: PolicyDecision): void => void decisions.push(decision);
    return { decisions, policy: createPermissionPolicy(runtime)({ rules, onDecision, ...more }) };
  };

  test.each([
    ["read", kinds, "allow_once", "allowed", "rule"],
    ["read", ["allow_always", "reject_once"], "allow_always", "allowed", "rule"],
    ["read", ["reject_once"], undefined, "cancelled", "rule"],
    ["read", [], undefined, "cancelled", "rule"],
    ["edit", kinds, "reject_once", "rejected", "rule"],
    ["edit", ["allow_once", "reject_always"], "reject_always", "rejected", "rule"],
    ["edit", ["allow_once"], undefined, "cancelled", "rule"],
    ["fetch", kinds, "reject_once", "rejected", "default"],
    ["delete", kinds, "reject_once", "rejected", "default"],
  ] as const)("answers %s with %j: %s", async (kind, offered, optionId, outcome, by) => {
    const { policy, decisions } = policyOf();
    const answer = await policy.answer(question(kind, offer(...offered)), context);
    expect(answer.outcome).toEqual(
      optionId === undefined ? { outcome: "cancelled" } : { outcome: "selected", optionId },
    );
    expect(decisions).toMatchObject([{ outcome, by, optionId, action: { source: "question", kinds: [kind] } }]);
  });

  test("leaves actions without a rule to the user, and reports the answer", async () => {
    const { policy, decisions } = policyOf();
    const ask = () => ({ outcome: { outcome: "selected" as const, optionId: "allow_always" } });
    expect(await policy.answer(question("fetch"), context, { ask })).toEqual(ask());
    expect(await policy.answer(question("read"), context, { ask })).toMatchObject({
      outcome: { optionId: "allow_once" },
    });
    expect(decisions).toMatchObject([
      { outcome: "allowed", by: "user", rule: rules[2], optionId: "allow_always" },
      { outcome: "allowed", by: "rule", rule: rules[0] },
    ]);
  });

  test("answers with the default where nobody is there", async () => {
    const { policy } = policyOf({ otherwise: "allow" });
    const answer = await policy.answer(question("delete"), context, { ask: () => undefined });
    expect(answer).toMatchObject({ outcome: { optionId: "allow_once" } });
  });

  test("reads earlier updates of a call, and subjects of version 2", async () => {
    const { policy, decisions } = policyOf({ rules: [{ line: "ls", then: "allow" }] });
    const known = { kind: "execute", rawInput: { command: "ls" } };
    const options = offer(...kinds);
    await policy.answer({ sessionId: "s", toolCall: {}, options }, context, { known });
    await policy.answer({ sessionId: "s", subject: { type: "command", command: "ls", cwd: "/q" }, options }, context);
    await policy.answer({ sessionId: "s", subject: { type: "command", command: "ls; rm" }, options }, context);
    await policy.answer({ sessionId: "s", options }, context);
    expect(decisions.map(({ outcome, action: { paths } }) => [outcome, ...paths])).toEqual([
      ["allowed", "/p"],
      ["allowed", "/q"],
      ["rejected", "/p"],
      ["rejected"],
    ]);
  });

  test("refuses an option that the user's answer names and nobody offered", async () => {
    const { policy, decisions } = policyOf();
    const ask = () => ({ outcome: { outcome: "selected" as const, optionId: "allow_once" } });
    const answer = policy.answer(question("fetch", offer("reject_once")), context, { ask });
    await expect(answer).rejects.toThrow(UsageError);
    expect(decisions).toMatchObject([{ outcome: "cancelled", by: "user" }]);
  });

  test("knows no place for a relative path before the session is open", async () => {
    const { policy, decisions } = policyOf({ rules: [{ kind: "read", within: "/p", then: "allow" }] });
    const toolCall = { kind: "read", locations: [{ path: "p/src" }] };
    const options = offer(...kinds);
    await policy.answer({ sessionId: "s", toolCall, options }, { signal: session.signal });
    await policy.answer({ sessionId: "s", toolCall, options }, { ...context, session: { ...session, cwd: "" } });
    await policy.answer({ sessionId: "s", toolCall, options }, context);
    expect(decisions.map(({ outcome, action: { paths, unresolved } }) => [outcome, ...paths, ...unresolved])).toEqual([
      ["rejected", "p/src"],
      ["rejected", "p/src"],
      ["allowed", "/p/p/src"],
    ]);
  });

  const edit = { source: "file", kinds: ["edit"], commands: [], variables: [], paths: ["/p/src/a"] } as const;

  test("reports questions that end without an answer", async () => {
    const { policy, decisions } = policyOf({
      rules: [{ kind: "edit", then: "ask" }],
      ask: () => new Promise(() => {}),
    });
    const turn = new AbortController();
    const signal = { session, signal: turn.signal };
    const waiting = [
      policy.answer(question("edit"), signal, { ask: () => new Promise(() => {}) }),
      policy.decide(edit, signal),
      policy.answer(question("edit"), context, { ask: none }),
    ];
    turn.abort(new Error("Cancelled"));
    expect((await Promise.allSettled(waiting)).map(({ status }) => status)).toEqual(Array(3).fill("rejected"));
    expect(decisions.map(({ outcome, by }) => `${by}: ${outcome}`)).toEqual(Array(3).fill("user: cancelled"));
  });

  test("refuses an action the user allowed if its path leads elsewhere by then", async () => {
    let links: Record<string, string> = {};
    const realPath = (path: string): Promise<string> =>
      fileTable({ directories: ["/", "/p", "/p/src", "/q"], links }).files.realPath(path);
    const moving = { ...runtime, files: { ...runtime.files, realPath } };
    const outcomes: string[] = [];
    const policy = createPermissionPolicy(moving)({
      rules: [],
      ask: () => true,
      onDecision: ({ outcome, by, action: { paths } }) => outcomes.push(`${by}: ${outcome} ${paths.join(",")}`),
    });
    await policy.decide(edit, context);
    const sly = createPermissionPolicy(moving)({
      rules: [],
      ask: () => {
        links = { "/p/src": "/q" };
        return true;
      },
      onDecision: ({ outcome, by, action: { paths } }) => outcomes.push(`${by}: ${outcome} ${paths.join(",")}`),
    });
    await sly.decide(edit, context);
    expect(outcomes).toEqual(["user: allowed /p/src/a", "default: rejected /p/src/a"]);
  });

  test("allows nothing if the audit fails", async () => {
    const { policy } = policyOf({ onDecision: none });
    await expect(policy.answer(question("read"), context)).rejects.toThrow("Not used");
    const gated = { source: "file", kinds: ["read"], commands: [], variables: [], paths: ["/p"] } as const;
    await expect(policy.decide(gated, context)).rejects.toThrow("Not used");
  });
});
