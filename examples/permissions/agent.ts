// An agent that asks before it does something.
import { createAgent } from "@acp/core";
import { serveStdio } from "@acp/node";

const agent = createAgent({
  info: { name: "careful-agent", version: "1.0.0" },
  handlers: {
    "session/prompt": async (_params, { turn, session }) => {
      const call = await turn.toolCall({
        title: "Delete build/",
        kind: "delete",
        locations: [{ path: `${session.cwd}/build` }],
      });
      const outcome = await call.requestPermission([
        { optionId: "once", name: "Delete it", kind: "allow_once" },
        { optionId: "never", name: "Keep it", kind: "reject_once" },
      ]);

      // A turn that is cancelled meanwhile answers `cancelled`.
      if (outcome.outcome === "cancelled") return { stopReason: "cancelled" };
      if (outcome.optionId === "once") {
        // Here it would delete the folder.
        await call.complete("Deleted.");
        await turn.message("The build folder is gone.");
      } else {
        await call.fail("The user said no.");
        await turn.message("I left the build folder alone.");
      }
      return { stopReason: "end_turn" };
    },
  },
});

await serveStdio(agent);
