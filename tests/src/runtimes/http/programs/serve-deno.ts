/** Serves the agent of the story on Deno; prints the port. Options of the server come as JSON. */
import { createHttpServer, type HttpServer } from "@acp/http";

import { createStoryAgent } from "../../../support/http/toolkit-story.ts";
import { readOptions } from "./server-options.ts";

declare const Deno: {
  serve(
    options: { port: number; hostname: string; onListen(address: { readonly port: number }): void },
    handler: Handler,
  ): unknown;
};

type Handler = (request: Request, info: { readonly completed: Promise<void> }) => Promise<Response>;

// By a name that the compiler does not follow: it would want the types of Deno.
const name: string = "@acp/deno/http";
const { denoHttpHandler }: { denoHttpHandler(server: HttpServer): Handler } = await import(name);

const server = createHttpServer({ agent: createStoryAgent(console.error), ...readOptions() });
const onListen = ({ port }: { readonly port: number }): void => console.log(port);
Deno.serve({ port: 0, hostname: "127.0.0.1", onListen }, denoHttpHandler(server));
