import { createHub, type ShareLevel } from "@acp/hub";

import * as runtime from "#runtime";
import { printableLine } from "@acp/render/text";

import type { RunCommand } from "../cli/command.ts";
import { CommandLineError } from "../cli/exit.ts";
import { optionError, parseOptions } from "../cli/options.ts";
import { shareHubSpec } from "./hub-spec.ts";
import { withSession } from "./named-session.ts";

/** Shares a session, lists its shares, or ends one. */
export const run: RunCommand = (args, streams) => {
  const parsed = parseOptions(args, shareHubSpec.options);
  const { values } = parsed;
  return withSession(parsed, streams, async ({ session, journal }) => {
    const hub = createHub({ journal, runtime });
    try {
      const may = levelOf(values);
      if (values.revoke !== undefined) await hub.revoke(session, values.revoke);
      else if (may === undefined) streams.output.write(lines(await hub.shares(session)));
      else {
        const expires = new Date(Date.now() + hoursOf(values.hours) * 3_600_000);
        const { id, token } = await hub.share(session, {
          may,
          expires,
          ...(values.as === undefined ? {} : { name: values.as }),
        });
        streams.output.write(`${token}\n`);
        streams.error.write(
          `Whoever has this token may ${may} the session until ${expires.toISOString().slice(0, 16)}Z.\n`,
        );
        if (may === "control") streams.error.write("They can have the agent do whatever it can do.\n");
        streams.error.write(`acp hub share ${session} --revoke ${id} ends it.\n`);
      }
    } finally {
      await hub.close();
    }
  });
};

function lines(
  shares: readonly { readonly id: string; readonly may: string; readonly expires: Date; readonly name: string }[],
): string {
  if (shares.length === 0) return "The session is not shared\n";
  return shares
    .map(
      ({ id, may, expires, name }) =>
        `${id}  ${may}  until ${expires.toISOString().slice(0, 16)}Z  ${printableLine(name)}\n`,
    )
    .join("");
}

function levelOf(values: {
  readonly watch: boolean;
  readonly answer: boolean;
  readonly control: boolean;
}): ShareLevel | undefined {
  const chosen = (["watch", "answer", "control"] as const).filter((level) => values[level]);
  if (chosen.length > 1) throw new CommandLineError(`--${chosen.join(" and --")} exclude each other`);
  return chosen[0];
}

function hoursOf(text: string): number {
  const hours = Number(text);
  if (hours > 0 && hours <= 24 * 365) return hours;
  throw optionError(shareHubSpec.options, "hours", `--hours cannot be '${text}'. Use a number from 1 to 8760`);
}
