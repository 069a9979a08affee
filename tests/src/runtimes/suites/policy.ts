// What an agent tries in order to do more than a policy allows. Each attack would leave a file behind.
import { createClient } from "@acp/core";
import type { PermissionPolicyOptions, PolicyAction, PolicyDecision } from "@acp/host";

import { eventually, expectEqual, expectTrue, rejectionOf } from "../check.ts";
import { testSession } from "../host-session.ts";
import {
  chmod,
  existsSync,
  join,
  link,
  mkdir,
  programOn,
  readText,
  rename,
  rm,
  symlink,
  writeFile,
} from "../platform.ts";
import type { Step } from "../programs/scripted.ts";
import { type Scenario, type ScenarioContext, test } from "../scenario.ts";

const options = [
  { optionId: "always", name: "Always", kind: "allow_always" as const },
  { optionId: "yes", name: "Yes", kind: "allow_once" as const },
  { optionId: "no", name: "No", kind: "reject_once" as const },
];

/** A project, a folder outside of it, and a client's policy for the project. */
async function setUp({ runtime, directory }: ScenarioContext, more: Partial<PermissionPolicyOptions> = {}) {
  const [project, outside] = [join(directory, "project"), join(directory, "outside")];
  await mkdir(project);
  await mkdir(outside);
  const decisions: PolicyDecision[] = [];
  const policy = runtime.permissionPolicy({
    rules: [
      { kind: "read", within: project, then: "allow" },
      { command: ["echo", "safe"], within: project, then: "allow" },
      { line: "echo one; echo two", within: project, then: "allow" },
    ],
    onDecision: (decision) => void decisions.push(decision),
    ...more,
  });
  const handlers = {
    ...runtime.fileSystem({ policy, roots: [directory] }),
    ...runtime.terminals({ policy }),
  };
  const session = testSession(project);
  const sessionId = session.session.id;
  return {
    project,
    outside,
    decisions,
    policy,
    handlers,
    session,
    async run(command: string, args?: readonly string[], params: object = {}): Promise<string> {
      const { terminalId } = await handlers["terminal/create"]({ sessionId, command, args, ...params }, session);
      await handlers["terminal/wait_for_exit"]({ sessionId, terminalId }, session);
      return handlers["terminal/output"]({ sessionId, terminalId }, session).output;
    },
    async ask(toolCall: object): Promise<string> {
      const { outcome } = await policy.answer({ sessionId, toolCall, options }, session);
      return outcome.outcome === "selected" ? outcome.optionId : outcome.outcome;
    },
  };
}

async function expectRejected(promise: Promise<unknown>): Promise<void> {
  const { code, data } = (await rejectionOf(promise))["wire"] as { code: number; data: { reason: string } };
  expectEqual([code, data.reason], [-32603, "rejected"]);
}

export const scenarios: readonly Scenario[] = [
  test(
    "a command runs as a rule has it, and nothing appended, chained or substituted does",
    { except: ["windows"] },
    async (context) => {
      const { run, outside, decisions } = await setUp(context);
      expectEqual(await run("echo", ["safe"]), "safe\n");
      expectEqual(await run("echo safe"), "safe\n");
      expectEqual(await run("echo one; echo two"), "one\ntwo\n");
      expectEqual(
        decisions.map(({ by, outcome }) => `${by}: ${outcome}`),
        Array(3).fill("rule: allowed"),
      );
      const made = join(outside, "made");
      const attacks: [string, string[]?][] = [
        [`echo safe; touch ${made}`],
        [`echo safe && touch ${made}`],
        [`echo safe & touch ${made}`],
        [`echo safe | touch ${made}`],
        [`echo safe\ntouch ${made}`],
        [`echo safe $(touch ${made})`],
        [`echo safe \`touch ${made}\``],
        [`echo safe > ${made}`],
        [`echo one; echo two; touch ${made}`],
        [`echo one; echo two\ntouch ${made}`],
        [`touch ${made} && echo safe`],
        [`PATH=${outside} echo safe`],
        ["echo", ["safe", "more"]],
        ["echo", [`safe; touch ${made}`]],
        ["echo safe", ["more"]],
        ["/bin/sh", ["-c", "echo safe"]],
        ["sh", ["-c", `touch ${made}`]],
        ["touch", [made]],
        ["echo safe "],
        ["ECHO", ["safe"]],
      ];
      for (const [command, args] of attacks) await expectRejected(run(command, args));
      expectTrue(!existsSync(made), "no attack came through");
      expectEqual(decisions.length, 3 + attacks.length, "every decision is reported");
    },
  ),
  test(
    "variables and directories of an agent change no command that a rule allows",
    { except: ["windows"] },
    async (context) => {
      const { run, outside, project } = await setUp(context);
      const fake = join(outside, "echo");
      await writeFile(fake, `#!/bin/sh\n/usr/bin/touch ${outside}/made`);
      await chmod(fake, 0o755);
      await expectRejected(run("echo", ["safe"], { env: [{ name: "PATH", value: outside }] }));
      await expectRejected(run("echo", ["safe"], { cwd: outside }));
      await symlink(outside, join(project, "inside"));
      await expectRejected(run("echo", ["safe"], { cwd: join(project, "inside") }));
      await expectRejected(run("echo", ["safe"], { cwd: `${project}/../outside` }));
      expectTrue(!existsSync(join(outside, "made")), "nothing ran");
    },
  ),
  test(
    "the user is asked with every variable that an agent sets, by name and value",
    { except: ["windows"] },
    async (context) => {
      const asked: unknown[] = [];
      const ask = ({ variables }: PolicyAction): boolean => asked.push(variables) > 0;
      const { run } = await setUp(context, { ask });
      const env = [
        { name: "NODE_OPTIONS", value: "--import=data:text/javascript,x" },
        { name: "A", value: "first\nsecond" },
        { name: "A", value: "" },
        { name: "__proto__", value: "p" },
      ];
      expectEqual(await run("echo", ["safe"], { env }), "safe\n");
      expectEqual(await run("echo", ["safe"], { env: [] }), "safe\n", "a rule decides");
      expectEqual(asked, [env]);
    },
  ),
  test("a path counts by where it leads, through links and dots", { except: ["windows"] }, async (context) => {
    const { handlers, session, project, outside } = await setUp(context);
    const read = (path: string) => handlers["fs/read_text_file"]({ path }, session);
    await writeFile(join(project, "a"), "in");
    await writeFile(join(outside, "b"), "out");
    await symlink(join(outside, "b"), join(project, "link"));
    await symlink(outside, join(project, "folder"));
    await symlink(project, join(outside, "back"));
    expectEqual(await read(join(project, "a")), { content: "in" });
    expectEqual(await read(join(outside, "back", "a")), { content: "in" });
    for (const path of ["link", "folder/b", "../outside/b"]) await expectRejected(read(`${project}/${path}`));
    await expectRejected(handlers["fs/write_text_file"]({ path: join(project, "a"), content: "new" }, session));
    expectEqual(await readText(join(project, "a")), "in");
  }),
  test(
    "a file counts by all of its names, and is asked about where they are too many to look at",
    { except: ["windows"] },
    async (context) => {
      const folder = join(context.directory, "project", ".git");
      const asked: unknown[] = [];
      const { handlers, session, project } = await setUp(context, {
        rules: [
          { within: folder, then: "reject" },
          { kind: ["read", "edit"], within: join(context.directory, "project"), then: "allow" },
        ],
        ask: ({ paths }) => asked.push(...paths) === 0,
      });
      const write = (name: string) =>
        handlers["fs/write_text_file"]({ path: join(project, name), content: "new" }, session);
      await mkdir(join(folder, "modules", "a"), { recursive: true });
      await mkdir(join(project, "src"));
      for (const name of ["config", "modules/a/config"]) {
        await writeFile(join(folder, name), "old");
        await link(join(folder, name), join(project, "src", name.replaceAll("/", "-")));
      }
      await expectRejected(write("src/config"));
      await expectRejected(write("src/modules-a-config"));
      await expectRejected(handlers["fs/read_text_file"]({ path: join(project, "src/config") }, session));
      expectEqual(
        [await readText(join(folder, "config")), await readText(join(folder, "modules/a/config"))],
        ["old", "old"],
      );
      // Several names, and none of them is there.
      await writeFile(join(project, "a"), "old");
      await link(join(project, "a"), join(project, "b"));
      await write("b");
      expectEqual(await readText(join(project, "a")), "new");
      expectEqual(asked, []);
      await mkdir(join(folder, "objects"));
      for (let count = 0; count < 5_000; count += 1) await writeFile(join(folder, "objects", String(count)), "");
      await expectRejected(write("b"));
      expectEqual(asked, [join(project, "b")]);
      await expectRejected(write("src/config"));
      expectEqual(asked.length, 1, "what is found is rejected");
    },
  ),
  test(
    "a question is answered by its content except its title, and permits nothing by itself",
    { except: ["windows"] },
    async (context) => {
      const { ask, run, outside, project } = await setUp(context);
      const execute = (rawInput: unknown) => ({ toolCallId: "c", title: "Safe", kind: "execute", rawInput });
      expectEqual(await ask(execute({ command: "echo safe" })), "yes", "it prefers what counts once");
      expectEqual(await ask(execute({ command: ["echo", "safe"] })), "yes");
      // The title lies.
      expectEqual(await ask({ toolCallId: "c", title: "echo safe", kind: "execute" }), "no");
      expectEqual(await ask({ ...execute({ command: "rm -rf /" }), title: "echo safe" }), "no");
      expectEqual(await ask({ ...execute({ command: "touch x" }), kind: "read" }), "no");
      for (const command of ["echo safe; ls", "echo safe && ls", "echo safe $(ls)", "echo safe\nls"])
        expectEqual(await ask(execute({ command })), "no", command);
      // One lie among truths.
      expectEqual(await ask(execute({ command: "echo safe", commands: ["rm -rf /"] })), "no");
      expectEqual(await ask(execute({ command: "echo safe", cwd: outside })), "no");
      expectEqual(await ask(execute({ command: "echo safe", env: { PATH: outside } })), "no", "with a variable");
      const readAt = (...paths: string[]) => ({
        toolCallId: "c",
        kind: "read",
        locations: paths.map((path) => ({ path })),
      });
      await symlink(outside, join(project, "inside"));
      expectEqual(await ask(readAt(join(project, "a"))), "yes");
      expectEqual(await ask(readAt(join(project, "inside", "a"))), "no");
      expectEqual(await ask(readAt(join(project, "a"), "/etc/passwd")), "no");
      expectEqual(await ask({ ...readAt(join(project, "a")), rawInput: { file_path: "/etc/passwd" } }), "no");
      expectEqual(
        await ask({
          ...readAt(join(project, "a")),
          content: [{ type: "diff", path: join(project, "a"), newText: "" }],
        }),
        "no",
        "a diff is an edit",
      );
      // The arguments lie: the question was allowed, and the command is another.
      const made = join(outside, "made");
      expectEqual(await ask(execute({ command: "echo safe" })), "yes");
      await expectRejected(run("touch", [made]));
      expectTrue(!existsSync(made), "it did not run");
    },
  ),
  test(
    "an agent that never asks may do the actions that the rules allow, and the user is asked about the rest",
    { except: ["windows"] },
    async (context) => {
      const asked: unknown[] = [];
      const ask = async ({ commands, paths }: { commands: unknown; paths: unknown }): Promise<boolean> => {
        asked.push([commands, paths]);
        return asked.length === 1;
      };
      const { handlers, project, outside } = await setUp(context, { ask });
      const client = createClient({ info: { name: "c", version: "1" }, handlers });
      const agent = await context.runtime.spawnAgent(client, programOn(context.runtimeName, "scripted"));
      const session = await agent.newSession({ cwd: project });
      const touch = (name: string) => ({ command: "touch", args: [join(outside, name)] });
      const write = { path: join(outside, "written"), content: "" };
      const attempts = [
        ["terminal/create", touch("allowed")],
        ["terminal/create", touch("rejected")],
        ["fs/write_text_file", write],
      ] as const;
      for (const [index, [method, params]] of attempts.entries()) {
        const send = [{ id: index, method, params: { sessionId: session.id, ...params } }];
        const steps: readonly Step[] = [{ send }, { await: "an answer" }, { answer: "end_turn" }];
        await session.prompt(JSON.stringify(steps)).response;
        // The agent takes an earlier answer for this one, and may be done before the user is asked.
        await eventually(() => asked.length === index + 1, "the question of this turn");
      }
      await eventually(() => existsSync(join(outside, "allowed")), "the command that the user has allowed");
      await agent.close();
      expectEqual(asked, [
        [[["touch", join(outside, "allowed")]], [project]],
        [[["touch", join(outside, "rejected")]], [project]],
        [[], [join(outside, "written")]],
      ]);
      expectTrue(
        !existsSync(join(outside, "rejected")) && !existsSync(join(outside, "written")),
        "the rest is refused",
      );
    },
  ),
  test(
    "an action the user allowed is refused if its folder has become a link by then",
    { except: ["windows"] },
    async (context) => {
      const folder = join(context.directory, "project", "folder");
      const ask = async (): Promise<boolean> => {
        await rename(folder, `${folder}-before`);
        await symlink(join(context.directory, "outside"), folder);
        return true;
      };
      const { handlers, run, session, outside, decisions } = await setUp(context, { ask });
      const attempts = [
        () => handlers["fs/write_text_file"]({ path: join(folder, "made"), content: "" }, session),
        () => run("touch", ["made"], { cwd: folder }),
      ];
      for (const attempt of attempts) {
        await mkdir(folder);
        await expectRejected(attempt());
        await rm(folder);
        await rm(`${folder}-before`, { recursive: true });
      }
      expectTrue(!existsSync(join(outside, "made")), "nothing came through the link");
      expectEqual(
        decisions.map(({ by, outcome }) => `${by}: ${outcome}`),
        Array(2).fill("default: rejected"),
      );
    },
  ),
  test(
    "the default counts where nobody is there, and a question that ends waits for nobody",
    { except: ["windows"] },
    async (context) => {
      const { run, session, project } = await setUp(context, { otherwise: "allow", ask: () => undefined });
      expectEqual(await run("echo", ["other"]), "other\n");
      const policy = context.runtime.permissionPolicy({
        rules: [{ command: ["touch"], moreArguments: true, then: "ask" }],
        ask: () => new Promise(() => {}),
        otherwise: "allow",
      });
      const terminals = context.runtime.terminals({ policy });
      const waiting = terminals["terminal/create"]({ sessionId: "session", command: "touch", args: ["x"] }, session);
      session.close();
      await rejectionOf(waiting);
      expectTrue(!existsSync(join(project, "x")), "nothing ran");
    },
  ),
];
