import { isAbsolute, relative, sep } from "node:path";

import { describeWholeContent } from "../../protocol/describe-content.ts";
import { describeAsked } from "../../protocol/permission/describe-asked.ts";
import type { PermissionQuestion } from "../../protocol/permission/question.ts";
import type { ShownContent } from "../../protocol/shown.ts";
import type { QuestionLine } from "./question-lines.ts";

/** Everything that a question for permission asks for. Nothing is cut. */
export function permissionLines({ sessionId, isOfAgent, asked }: PermissionQuestion, cwd: string): QuestionLine[] {
  // Long space could fill lines and fake options. In a command it has a meaning.
  const title = asked.kind === "execute" ? asked.title : asked.title.replaceAll(/[ \t]{3,}/gu, " ");
  const whose = `In session ${sessionId}, which the agent has opened by itself:`;
  return [
    ...(isOfAgent ? [line("dim", whose, 0)] : []),
    line("title", `? ${title}`, 0),
    ...describeAsked(asked, cwd, "").flatMap(argumentLines),
    ...asked.content.flatMap((item) => contentLines(item, cwd, asked.title)),
  ];
}

/** An argument of several lines, such as a patch, can be read only as lines. The bar tells them from our own. */
function argumentLines(argument: string): QuestionLine[] {
  const [first = "", ...rest] = argument.split("\n");
  if (rest.at(-1) === "") rest.pop();
  return [line("warning", first), ...rest.map((text) => line("warning", `│ ${text}`, 4))];
}

function contentLines(item: ShownContent, cwd: string, title: string): QuestionLine[] {
  // A terminal exists only once the command runs.
  if (item.kind === "terminal") return [];
  if (item.kind === "content") {
    return describeWholeContent(item.content)
      .split("\n")
      .map((text) => line("plain", text));
  }
  const file = displayPath(item.path, cwd);
  const isNamed = title.includes(file) && !item.isNew;
  const name = item.isNew ? `${file} (new file)` : file;
  return [...(isNamed ? [] : [line("dim", name)]), { diff: item, indent: 2 }];
}

function line(tone: "title" | "plain" | "dim" | "warning", text: string, indent = 2): QuestionLine {
  return { tone, text, indent };
}

function displayPath(path: string, cwd: string): string {
  const inside = relative(cwd, path);
  return inside === "" || inside.startsWith("..") || isAbsolute(inside) ? path : inside.split(sep).join("/");
}
