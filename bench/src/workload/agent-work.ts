import type { AgentWork } from "../contestants/contestant.ts";
import { inFlight } from "./in-flight.ts";
import { peakMemory } from "./memory.ts";
import { makeUpdate, type Mix } from "./updates.ts";

/** What the prompts of the scenarios ask the agent to do: `updates <mix> <count>`, `reads <count> <in flight>`, … */
export const agentWork: AgentWork = async (prompt, client) => {
  const [command, first = "", second = ""] = prompt.slice(0, 64).split(" ");
  switch (command) {
    case "updates": {
      const count = Number(second);
      for (let index = 0; index < count; index++) {
        const sent = client.update(makeUpdate(first as Mix, index));
        // Raw loops hand back a promise only when the pipe is full.
        if (sent !== undefined) await sent;
      }
      return;
    }
    case "flood": {
      // What nobody should do: no update is awaited.
      for (let index = 0; index < Number(first); index++) void client.update(makeUpdate("mixed", index));
      return;
    }
    case "reads":
      return inFlight(Number(first), Number(second), async (index) => {
        const content = await client.readTextFile(`/project/src/file-${index}.ts`);
        if (content !== fileContent) throw new Error("The file is not what the client has");
      });
    case "size":
      // The answer to a large prompt: how long it was.
      return client.update(say(String(prompt.length)));
    case "memory":
      return client.update(say(String(peakMemory())));
    case "nothing":
      return;
    default:
      throw new Error(`No such work: ${command}`);
  }
};

/** What every file of the client's holds. */
export const fileContent: string = "export const answer = 42;\n".repeat(8);

function say(text: string): Parameters<Parameters<AgentWork>[1]["update"]>[0] {
  return { sessionUpdate: "agent_message_chunk", content: { type: "text", text } };
}
