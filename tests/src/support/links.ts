import { existsSync, readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";

/** The links of a Markdown file to other files, or to headings, that are not there. Those to the web are left alone. */
export function brokenLinks(file: string): readonly string[] {
  const links = withoutCode(file).matchAll(/\]\((?!\w+:)([^)#]*)(?:#([^)]*))?\)/g);
  return [...links].flatMap(([link, path = "", anchor]) => {
    const target = path === "" ? file : join(dirname(file), path);
    if (!existsSync(target)) return [link];
    return anchor === undefined || (statSync(target).isFile() && headingIds(target).includes(anchor)) ? [] : [link];
  });
}

/** What stands in code is no link and no heading. */
function withoutCode(file: string): string {
  return readFileSync(file, "utf8").replaceAll(/^ *```.*?^ *```$/gms, "");
}

/** What links to headings are called, as GitHub, editors and npm do. */
function headingIds(file: string): readonly string[] {
  return [...withoutCode(file).matchAll(/^#+ (.*)$/gm)].map(([, heading = ""]) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}_ -]/gu, "")
      .replaceAll(" ", "-"),
  );
}
