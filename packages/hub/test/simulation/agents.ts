import { RequestError } from "@acp/core";

import type { AgentEvents, AgentLink, OpenAgent } from "../../src/keeper/agent-link.ts";
import type { Engine } from "./engine.ts";
import type { Mutant } from "./mutant.ts";
import type { Program } from "./program.ts";
import type { SessionLog } from "./session-log.ts";
import type { World } from "./world.ts";

/** The limit of a keeper's outbox, in UTF-16 code units. */
export const outboxUnits = 3000;
/** About what an update of these agents takes. */
const updateUnits = 130;

/** All agents, and what they got. */
export class Agents {
  /** How often agents got each prompt, by its session and key. */
  readonly prompts: Map<string, number> = new Map();
  /** The requests of extensions that agents got. */
  readonly calls: Set<string> = new Set();
  readonly running: Set<SimAgent> = new Set();
  /** Agents no longer fail, wait for long, or die. */
  isCalm = false;
  readonly world: World;
  readonly engine: Engine;
  readonly #mutant: Mutant;
  #count = 0;

  constructor(world: World, engine: Engine, mutant: Mutant) {
    this.world = world;
    this.engine = engine;
    this.#mutant = mutant;
  }

  /** Opens sessions for a keeper in a process. */
  opener(program: Program, session: string): OpenAgent {
    return (_setup, events, signal) =>
      new Promise((resolve, reject) => {
        const { random } = this.world;
        this.#count += 1;
        const agent = new SimAgent(this, `a${this.#count}`, program, session, this.#mutant.events?.(events) ?? events);
        this.world.say(`${program.name} starts agent ${agent.name} of ${session}`);
        const refuse = (message: string): void => {
          agent.die();
          reject(new Error(message));
        };
        agent.onCrash = () => program.deliver(() => refuse("The agent has died"));
        const isHanging = !this.isCalm && random.chance(0.05);
        signal.addEventListener("abort", () => refuse("The start of the agent was stopped"), { once: true });
        if (signal.aborted) refuse("The start of the agent was stopped");
        this.world.after(isHanging ? 20_000 : random.from(5, 400), () =>
          program.deliver(() => {
            if (agent.isDead) return;
            if (!this.isCalm && random.chance(0.08)) return refuse("The agent does not start");
            agent.isOpen = true;
            agent.onCrash = undefined;
            resolve(agent);
            if (!this.isCalm && random.chance(0.03)) this.world.after(random.from(0, 3), () => agent.crash());
          }),
        );
      });
  }
}

/** An agent that writes, asks, fails and dies as the seed says. */
export class SimAgent implements AgentLink {
  readonly name: string;
  readonly opened: AgentLink["opened"];
  isDead = false;
  isOpen = false;
  isBusy = false;
  /** It has died before it had opened the session. */
  onCrash: (() => void) | undefined;
  readonly #agents: Agents;
  readonly #world: World;
  readonly #program: Program;
  readonly #log: SessionLog;
  readonly #events: AgentEvents;
  #isCancelled = false;
  #hasEnded = false;
  #pieces = 0;
  #messages = 0;
  #questions = 0;

  constructor(agents: Agents, name: string, program: Program, session: string, events: AgentEvents) {
    this.#agents = agents;
    this.#world = agents.world;
    this.name = name;
    this.#program = program;
    this.#log = agents.engine.logOf(session);
    this.#events = events;
    this.opened = { version: 1, sessionId: `inner-${session}`, capabilities: {}, setup: {} };
    agents.running.add(this);
    program.onDeath(() => this.die());
  }

  get keeper(): Program {
    return this.#program;
  }

  get session(): string {
    return this.#log.session;
  }

  die(): void {
    this.isDead = true;
    this.#agents.running.delete(this);
  }

  /** It dies by itself. */
  crash(): void {
    if (this.isDead) return;
    this.#world.say(`agent ${this.name} dies`);
    this.die();
    this.onCrash?.();
    this.#end({ code: -32603, message: "The agent has died" });
  }

  async prompt(prompt: readonly unknown[]): Promise<unknown> {
    const key = String((Object(prompt[0]) as { text?: unknown }).text);
    const { prompts } = this.#agents;
    const named = `${this.session} ${key}`;
    const times = (prompts.get(named) ?? 0) + 1;
    prompts.set(named, times);
    this.#world.say(`agent ${this.name} gets prompt ${key}`);
    if (times > 1 && !this.#log.lostPrompts.has(key)) this.#world.fail(`prompt ${key} reached an agent ${times} times`);
    if (!this.#log.prompts.has(key) && !this.#log.lostPrompts.has(key))
      this.#world.fail(`an agent got prompt ${key}, which is not in the journal`);
    if (this.isBusy) this.#world.fail(`agent ${this.name} got prompt ${key} while another one ran`);
    if (this.isDead) throw new RequestError({ code: -32603, message: "The agent is gone" });
    this.isBusy = true;
    this.#isCancelled = false;
    try {
      const stopReason = await this.#turn();
      return { stopReason, _meta: { key } };
    } finally {
      this.isBusy = false;
      // The answer takes its time, and finds the process as it is.
      await this.#world.wait(this.#world.random.from(0, 2));
      await new Promise<void>((resolve) => this.#program.deliver(resolve));
    }
  }

  cancel(): void {
    this.#isCancelled = true;
  }

  async call(method: string, params: object): Promise<unknown> {
    if (method.startsWith("_")) this.#noteOnce(params);
    await this.#world.wait(this.#world.random.from(0, 50));
    await new Promise<void>((resolve) => this.#program.deliver(resolve));
    return {};
  }

  /** Nobody may get the request of an extension twice. */
  #noteOnce(params: object): void {
    const { once } = params as { readonly once: string };
    const { calls } = this.#agents;
    if (calls.has(once) && !this.#log.hasForgotten) this.#world.fail(`request ${once} reached an agent twice`);
    calls.add(once);
  }

  async close(): Promise<void> {
    await this.#world.wait(this.#world.random.from(0, 30));
    this.die();
    this.#end();
    await new Promise<void>((resolve) => this.#program.deliver(resolve));
  }

  #end(error?: { code: number; message: string }): void {
    if (this.#hasEnded || !this.isOpen) return;
    this.#hasEnded = true;
    this.#world.after(this.#world.random.from(0, 3), () => this.#program.deliver(() => this.#events.ended(error)));
  }

  async #turn(): Promise<string> {
    const { random } = this.#world;
    const { isCalm } = this.#agents;
    for (let steps = random.from(0, 6); steps > 0; steps--) {
      await this.#world.wait(random.chance(0.3) ? 0 : random.from(1, 250));
      if (this.isDead) throw new RequestError({ code: -32603, message: "The agent has died" });
      if (this.#isCancelled) return "cancelled";
      const kind = random.next();
      if (kind < 0.5) await this.#write(random.from(1, 4));
      else if (kind < 0.6) await this.#write(random.from(30, 60));
      else if (kind < 0.8) await this.#ask(isCalm);
      else if (kind < 0.85)
        await Promise.all([this.#ask(isCalm), this.#ask(isCalm), this.#write(2), this.#ask(isCalm)]);
      else if (kind < 0.9 && !isCalm) await this.#world.wait(random.from(500, 6000));
      else if (kind < 0.93 && !isCalm) this.crash();
      else if (kind < 0.96) throw new RequestError({ code: -32000, message: "The agent fails" });
      else if (kind < 0.98) await this.#tool();
      else await this.#notify();
    }
    return this.#isCancelled ? "cancelled" : "end_turn";
  }

  async #write(count: number): Promise<void> {
    for (let written = 0; written < count; written++) {
      if (this.isDead) return;
      if (this.#messages === 0 || this.#world.random.chance(0.2)) this.#messages += 1;
      const messageId = `m${this.#messages}`;
      this.#pieces += 1;
      const text = `<${this.name}.${messageId}.${this.#pieces}>`;
      await this.#update({ sessionUpdate: "agent_message_chunk", messageId, content: { type: "text", text } });
      const waiting = (this.#pieces - (this.#log.pieces.get(this.name) ?? 0)) * updateUnits;
      if (this.#log.hasForgotten) continue;
      if (waiting > outboxUnits + 3 * updateUnits && !this.isDead && this.#program.state === "running")
        this.#world.fail(`${waiting} units of agent ${this.name} wait, where ${outboxUnits} may`);
    }
  }

  async #tool(): Promise<void> {
    this.#questions += 1;
    const toolCallId = `${this.name}.t${this.#questions}`;
    await this.#update({ sessionUpdate: "tool_call", toolCallId, title: "Tool", status: "pending" });
    await this.#world.wait(this.#world.random.from(0, 100));
    if (!this.isDead) await this.#update({ sessionUpdate: "tool_call_update", toolCallId, status: "completed" });
  }

  #update(update: unknown): Promise<void> {
    return new Promise((resolve) =>
      this.#program.deliver(() => void Promise.resolve(this.#events.update(update)).then(resolve)),
    );
  }

  #notify(): Promise<void> {
    return new Promise((resolve) =>
      this.#program.deliver(() => void Promise.resolve(this.#events.notify("_sim/told", {})).then(resolve)),
    );
  }

  /** Asks for permission; the answer has to be the one in the journal. */
  async #ask(isCalm: boolean): Promise<void> {
    const { random } = this.#world;
    this.#questions += 1;
    const title = `${this.name}.q${this.#questions}`;
    const options = ["yes", "no", "never"].map((optionId) => ({ optionId, name: optionId, kind: "allow_once" }));
    const withdrawal = new AbortController();
    if (!isCalm && random.chance(0.15))
      this.#world.after(random.from(0, 1500), () =>
        this.#program.deliver(() => withdrawal.abort(new Error("No more"))),
      );
    const result = await new Promise<unknown>((resolve) =>
      this.#program.deliver(() => {
        const params = { toolCall: { toolCallId: title, title }, options };
        this.#events
          .ask("session/request_permission", params, withdrawal.signal)
          .then(resolve, () => resolve(undefined));
      }),
    );
    if (result !== undefined) this.#check(title, result);
  }

  #check(title: string, result: unknown): void {
    const told = JSON.stringify((Object(result) as { outcome?: unknown }).outcome);
    const stored = this.#log.answers.get(title)?.outcome;
    this.#world.say(`agent ${this.name} is told ${told} for ${title}`);
    if (this.#log.hasForgotten) return;
    if (stored === undefined) return this.#world.fail(`${title} was answered by ${told}, which is not in the journal`);
    const kept = JSON.stringify(stored.type === "permission" ? stored.outcome : { outcome: "cancelled" });
    if (kept !== told) this.#world.fail(`the agent got ${told} for ${title}, and the journal has ${kept}`);
  }
}
