// How the site is searched. VitePress sends these functions to the browser as text, so each stands for itself.

/** Pages for the people who change the toolkit, and the longest lists, would lead the results of nearly every search. */
const unsearched =
  /^(?:project\/(?:reports|attacks|decisions)|protocol\/v\d-unstable|protocol\/v2\/(?:types|methods|updates|capabilities)|packages\/api\/.*(?:v2|unstable)|index\.md|playground\.md)/u;

/** Whether a page is found by searching. */
export function isSearched(page: string): boolean {
  return !unsearched.test(page);
}

/** The part of a page of the API that is searched: names, and the first lines about each. The rest is tables of types. */
export function searchedPart(page: string, source: string): string {
  if (!page.startsWith("packages/api/")) return source;
  const withoutCode = source.replaceAll(/^```[^]*?^```$/gmu, "");
  const sections = withoutCode.split(/^(?=#{1,6} )/mu).filter((section) => /^#{1,3} /u.test(section));
  return sections.map((section) => section.split(/\n{2,}/u, 2).join("\n\n")).join("\n\n");
}

/** Words of a text: names such as `session/update`, `createSessionState` and `-32603` whole and in parts. */
function tokenize(text: string): string[] {
  const words: string[] = [];
  for (const [whole] of text.matchAll(/-?\d+(?:\.\d+)*|[$@]?[\p{L}\p{N}_]+(?:[/.:_-][\p{L}\p{N}_]+)*/gu)) {
    words.push(whole);
    const parts = whole
      .replaceAll(/(\p{Ll}|\p{N})(\p{Lu})/gu, "$1 $2")
      .split(/[^\p{L}\p{N}]+/u)
      .filter((part) => part.length > 1 && part !== whole);
    words.push(...parts);
  }
  return words;
}

/** Terms in lower case, without those that nearly every page has. */
function processTerm(term: string): string | null {
  const lower = term.toLowerCase();
  if (
    ["the", "and", "for", "with", "how", "do", "does", "to", "is", "in", "of", "an", "my", "can", "what", "a"].includes(
      lower,
    )
  )
    return null;
  return lower.length > 4 && lower.endsWith("s") && !lower.endsWith("ss") ? lower.slice(0, -1) : lower;
}

/** The guide tells how to do something, so it comes first. */
function boostDocument(id: string): number {
  if (id.includes("/guide/")) return 2;
  return id.includes("/packages/api/") ? 0.5 : 1;
}

export const miniSearch = {
  options: { tokenize, processTerm },
  searchOptions: { fuzzy: 0.2, prefix: true, boost: { title: 4, titles: 2, text: 1 }, boostDocument },
};
