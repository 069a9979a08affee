import { tool } from "ai";

import { describeError } from "../../describe-error.ts";
import { truncateText } from "../../truncate-text.ts";
import { inputSchema } from "../input-schema.ts";
import type { AgentTool, CreateDisplay, ToolContext } from "../tool-context.ts";
import { fetchPage } from "./fetch-page.ts";
import { toMarkdown } from "./to-markdown.ts";

export interface FetchInput {
  readonly url: string;
}

/** How much of a page the model gets, in characters. */
const maxLength = 60_000;

const description = `Gets a web page or a text file over http or https. HTML is turned into Markdown.`;

const schema = inputSchema<FetchInput>({ url: { type: "string", description: "The URL" } }, ["url"]);

/** Gets a page of the web. Each host is allowed by the user, also those of a private network. */
export function createFetchTool({ workspace }: ToolContext): AgentTool {
  return {
    tool: tool({
      description,
      inputSchema: schema,
      async execute({ url }): Promise<string> {
        const page = await fetchPage(parseUrl(url), workspace.signal).catch((error: unknown) => {
          workspace.signal.throwIfAborted();
          throw new Error(`${url} cannot be fetched: ${describeError(error)}`, { cause: error });
        });
        if ("redirect" in page) return `[The page is elsewhere now. Call fetch with ${page.redirect}]`;
        const text = page.isHtml ? toMarkdown(page.text, page.url) : page.text;
        const shown = truncateText(text, maxLength);
        const isCut = page.isCut || shown.length < text.length;
        return isCut ? `${shown}\n[The page is longer. The rest is left out.]` : shown || "[The page is empty.]";
      },
    }),
    access: {
      access: "fetch",
      remember(input) {
        const { host } = parseUrl((input as FetchInput).url);
        return { key: `fetch ${host}`, scope: `pages of ${host} in this session` };
      },
      async propose(input) {
        try {
          parseUrl((input as FetchInput).url);
          return undefined;
        } catch (error) {
          return describeError(error);
        }
      },
    },
  };
}

function parseUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== "http:" && url?.protocol !== "https:")
    throw new Error(`${text} is no URL that begins with http:// or https://`);
  if (url.username !== "" || url.password !== "") throw new Error("A URL with a name or a password is not fetched.");
  return url;
}

export const createFetchDisplay: CreateDisplay<FetchInput> = () => ({
  kind: "fetch",
  title: ({ url }) => `Fetch ${url ?? "a page"}`,
});
