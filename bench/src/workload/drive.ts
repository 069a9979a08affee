import type { Agent, ClientHooks, Update } from "../contestants/contestant.ts";
import { fileContent } from "./agent-work.ts";
import { inFlight } from "./in-flight.ts";
import type { Work } from "./scenario.ts";

/** The client's half of every scenario: it counts what it receives. */
export class Driver {
  readonly hooks: ClientHooks = {
    update: (update) => {
      this.#updates++;
      this.#last = update;
    },
    readTextFile: () => {
      this.#reads++;
      return fileContent;
    },
  };
  #updates = 0;
  #reads = 0;
  #last: Update | undefined;

  /** Does the work. Returns how long it took, in milliseconds. */
  async run(agent: Agent, work: Work): Promise<number> {
    const sessions = await this.#open(agent, work);
    const [session = ""] = sessions;
    this.#updates = 0;
    this.#reads = 0;
    const prompt = work.kind === "large" ? `size ${"x".repeat(work.bytes - 5)}` : "";
    const start = performance.now();
    switch (work.kind) {
      case "updates": {
        const share = work.count / sessions.length;
        await Promise.all(sessions.map((id) => agent.prompt(id, `updates ${work.mix} ${share}`)));
        break;
      }
      case "reads":
        await agent.prompt(session, `reads ${work.count} ${work.inFlight}`);
        break;
      case "prompts": {
        const free = [...sessions];
        await inFlight(work.count, work.inFlight, async () => {
          const id = free.pop()!;
          await agent.prompt(id, "nothing");
          free.push(id);
        });
        break;
      }
      case "closes":
        await Promise.all(sessions.map((id) => agent.closeSession(id)));
        break;
      case "large":
        for (let index = 0; index < work.times; index++) await agent.prompt(session, prompt);
        break;
    }
    const milliseconds = performance.now() - start;
    this.#check(work);
    return milliseconds;
  }

  /** Asks the agent for its memory; see `peakMemory`. */
  async agentMemory(agent: Agent): Promise<number> {
    await agent.prompt(await agent.newSession(), "memory");
    // Not every library has handled a turn's updates when the turn is answered.
    while (!(Number(this.#lastText()) > 0)) await new Promise((resolve) => setTimeout(resolve, 1));
    return Number(this.#lastText());
  }

  /** A session holds one turn at a time. */
  async #open(agent: Agent, work: Work): Promise<readonly string[]> {
    const sessions: string[] = [];
    while (sessions.length < sessionsOf(work)) sessions.push(await agent.newSession());
    return sessions;
  }

  #check(work: Work): void {
    expect("updates", this.#updates, work.kind === "updates" ? work.count : work.kind === "large" ? work.times : 0);
    expect("file requests", this.#reads, work.kind === "reads" ? work.count : 0);
    if (work.kind === "large") expect("bytes of the prompt", Number(this.#lastText()), work.bytes);
  }

  #lastText(): string {
    return this.#last?.sessionUpdate === "agent_message_chunk" ? this.#last.content.text : "";
  }
}

function sessionsOf(work: Work): number {
  if (work.kind === "updates") return work.sessions;
  if (work.kind === "prompts") return work.inFlight;
  return work.kind === "closes" ? work.count : 1;
}

/** A library that loses a message is fast, but not to be compared. */
function expect(what: string, got: number, wanted: number): void {
  if (got !== wanted) throw new Error(`${got} ${what}, but there were ${wanted}`);
}
