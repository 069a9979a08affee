import { createAgent } from "@acp/core";
import { askPermission, createPlan, diff, readTextFile, writeTextFile } from "@acp/core/agent";

export const agent = createAgent({
  info: { name: "mender", version: "1.0.0" },
  handlers: {
    "session/prompt": async (_params, { turn, session }) => {
      const plan = await createPlan(turn, ["Read the settings", "Change them"]);
      await plan.start(0);
      const path = `${session.cwd}/settings.json`;
      const oldText = await readTextFile(turn, path);
      await plan.next();

      const newText = oldText.replace('"strict": false', '"strict": true');
      const call = await turn.toolCall({ title: "Edit settings.json", kind: "edit", locations: [{ path }] });
      await call.update({ content: [diff({ path, oldText, newText })] });
      const { allowed } = await askPermission(call, { remember: "edit" });
      if (!allowed) {
        await call.fail("The user said no.");
        return { stopReason: "end_turn" };
      }
      await writeTextFile(turn, path, newText);
      await call.complete();
      await plan.complete(1);
      await turn.message("The settings are strict now.");
      return { stopReason: "end_turn" };
    },
  },
});
