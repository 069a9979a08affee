// A client that shows a session as an editor does: at most once a frame, and only what has changed since the last one.
import { createClient } from "@acp/core";
import { createSessionState, joinText, type TimelineItem } from "@acp/core/state";
import { spawnAgent } from "@acp/node";

const client = createClient({ info: { name: "order-panel", version: "1.0.0" } });

const agent = await spawnAgent(client, {
  command: process.execPath,
  args: [`${import.meta.dirname}/agent.ts`],
});
try {
  const session = await agent.newSession({ cwd: process.cwd() });
  // Before anything else is awaited: so it misses nothing.
  const store = createSessionState(session);

  const shown: TimelineItem[] = [];
  const show = (): void => {
    for (const [row, item] of store.state.timeline.slice().entries()) {
      // A state never changes: what is the same object is the same.
      if (item === shown[row]) continue;
      shown[row] = item;
      console.log(`row ${row}: ${describe(item)}`);
    }
  };
  let frame: NodeJS.Timeout | undefined;
  store.subscribe(() => {
    frame ??= setTimeout(() => {
      frame = undefined;
      show();
    }, 16);
  });

  await session.prompt("Which orders are open?").response;
  clearTimeout(frame);
  show();
} finally {
  await agent.close();
}

function describe(item: TimelineItem): string {
  switch (item.type) {
    case "user_message":
    case "agent_message":
    case "agent_thought":
      return joinText(item.chunks);
    case "tool_call":
      return `[${item.status}] ${item.title}`;
    default:
      return item.type;
  }
}
