import { end, say } from "@acp/testing";

import type { ClientCheck } from "../client-context.ts";

/** Text that comes when a client does not expect it. */
export const lateText: readonly ClientCheck[] = [
  {
    id: "text-behind-the-answer",
    side: "client",
    title: "A client shows text that comes right behind the answer to its prompt",
    level: "hostile",
    rules: ["CANC-09"],
    protocols: [1],
    mend: "Go on reading updates for a moment after the answer to session/prompt, and show what comes.",
    async run(context) {
      const run = await context.play([say("early-4711 "), end(), say("late-4712", { after: 60 })]);
      await run.prompted();
      await run.shows("early-4711");
      await run.shows("late-4712");
    },
  },
];
