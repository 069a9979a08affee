// An agent that can be imported by a test: it is only made here, and served in another file.
import { createAgent } from "@acp/core";

export const agent = createAgent({
  info: { name: "todo-agent", version: "1.0.0" },
  // The state of a session; `session.state` has this type in every handler.
  session: () => ({ todos: [] as string[] }),
  handlers: {
    "session/prompt": async ({ prompt }, { turn, session, client }) => {
      const { todos } = session.state;
      for (const block of prompt) if (block.type === "text") todos.push(block.text);
      await client.request("fs/write_text_file", { path: `${session.cwd}/todo.txt`, content: todos.join("\n") });
      await turn.message(`${todos.length} to do`);
      return { stopReason: "end_turn" };
    },
  },
});
