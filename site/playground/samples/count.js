import { createAgent } from "@acp/core";

export const agent = createAgent({
  info: { name: "counter", version: "1.0.0" },
  session: () => ({ turns: 0 }), // what the agent remembers of each session
  handlers: {
    "session/prompt": async (_params, { turn, session, signal }) => {
      session.state.turns++;
      await turn.thought("I count until somebody presses Stop.");
      for (let number = 1; number <= 100 && !signal.aborted; number++) {
        await turn.message(`${number} `);
        await new Promise((resolve) => setTimeout(resolve, 200));
      }
      await turn.message(`That was turn ${session.state.turns}.`);
      return { stopReason: "end_turn" };
    },
  },
});
