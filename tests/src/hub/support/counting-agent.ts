import { createAgent } from "@acp/core";
import { serveStdio } from "@acp/node";

// An agent that counts: `count 100` says the numbers from 1 to 100, `ask` asks for permission, `races 100` asks a hundred times,
// `pid` says its process, `flood 100` says a lot a hundred times, `hold` waits until it is cancelled, and `work` does so in a call.
// Its sessions can be opened again.
await serveStdio(
  createAgent({
    info: { name: "counting-agent", version: "1.0.0" },
    handlers: {
      "session/resume": () => ({}),
      "session/prompt": async ({ prompt }, { turn, client }) => {
        const [word, number] = prompt
          .map((block) => (block.type === "text" ? block.text : ""))
          .join("")
          .split(" ");
        switch (word) {
          case "count":
            for (let next = 1; next <= Number(number); next++) {
              await turn.message(`${next} `, { newMessage: true });
              await new Promise((resolve) => setTimeout(resolve, 4));
            }
            break;
          case "flood":
            for (let next = 1; next <= Number(number); next++)
              await turn.message("x".repeat(10_000), { newMessage: true });
            break;
          case "ask": {
            const call = await turn.toolCall({ title: "Delete everything" });
            const outcome = await call.requestPermission();
            await turn.message(outcome.outcome === "selected" ? outcome.optionId : outcome.outcome);
            break;
          }
          case "races":
            for (let race = 0; race < Number(number); race++) {
              const call = await turn.toolCall({ title: `Race ${race}` });
              const outcome = await call.requestPermission();
              await turn.message(`${outcome.outcome === "selected" ? outcome.optionId : outcome.outcome} `);
            }
            break;
          case "pid":
            await turn.message(String(process.pid));
            break;
          case "run": {
            const { terminalId } = await client.request("terminal/create", { command: "echo", args: ["```", "hello"] });
            const call = await turn.toolCall({ title: "Say hello", content: [{ type: "terminal", terminalId }] });
            await client.request("terminal/wait_for_exit", { terminalId });
            await client.request("terminal/release", { terminalId });
            await call.complete();
            break;
          }
          case "hold":
          case "work":
            await (word === "work" ? turn.toolCall({ title: "Work for ever" }) : turn.message("holding"));
            await new Promise<void>((resolve) => turn.signal.addEventListener("abort", () => resolve()));
            break;
          default:
            await turn.message(`echo ${word}`);
        }
        return { stopReason: "end_turn" };
      },
    },
  }),
);
