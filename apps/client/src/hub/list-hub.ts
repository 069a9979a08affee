import type { ListedSession } from "@acp/hub";

import type { RunCommand } from "../cli/command.ts";
import { ExitCode } from "../cli/exit.ts";
import { parseOptions } from "../cli/options.ts";
import { jsonText } from "../text/json-text.ts";
import { table } from "../text/table.ts";
import { hubFolder } from "./hub-folder.ts";
import { listHubSpec } from "./hub-spec.ts";
import { journalUrl, openJournal } from "./open-journal.ts";

export const run: RunCommand = async (args, streams) => {
  const { values } = parseOptions(args, listHubSpec.options);
  const journal = await openJournal(hubFolder(values.folder, streams.env), journalUrl(values.journal, streams.env));
  const sessions: ListedSession[] = [];
  try {
    for (let page: string | undefined; ;) {
      const found = await journal.list({}, page);
      sessions.push(...found.sessions);
      page = found.next;
      if (page === undefined) break;
    }
  } finally {
    await journal.close();
  }
  const text = values.json ? `${jsonText({ sessions })}\n` : listed(sessions);
  streams.output.write(text);
  return ExitCode.endTurn;
};

function listed(sessions: readonly ListedSession[]): string {
  if (sessions.length === 0) return "The hub has no sessions\n";
  const rows = sessions.map(({ session, updatedAt, agent, state = "", cwd, title = "" }) => [
    session,
    updatedAt.toISOString().slice(0, 16).replace("T", " "),
    agent,
    state,
    cwd,
    title,
  ]);
  return table(rows);
}
