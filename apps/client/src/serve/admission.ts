import { isIP } from "node:net";

import { createFileFinder } from "./page-files.ts";
import { answerWithPage } from "./page.ts";

export const endpointPath = "/acp";
/** Where a page asks whether the server takes its token: of a WebSocket that does not open, a browser tells nothing. */
const helloPath = "/acp/hello";
/** Where a page asks for the files that a user may mention. */
const filesPath = "/acp/files";
const paths: ReadonlySet<string> = new Set([endpointPath, helloPath, filesPath]);

/** Who may use a server. */
export interface AdmissionOptions<Identity> {
  /** Who sends a request; `undefined` for somebody without a token. */
  admit(request: Request): Identity | undefined | Promise<Identity | undefined>;
  /** The address to listen on. */
  readonly host: string;
  readonly serverNames: readonly string[];
  /** Whether somebody may learn the names of all files of the directory that the server runs in. Default: yes. */
  mayList?(identity: Identity): boolean;
}

/**
 * Answers with the page. Admits requests for the endpoint that call this server by one of its names, and have the token.
 *
 * A page whose own host name leads to this server (DNS rebinding) calls the server by that name, so its requests are refused.
 * Nobody else can make an IP address lead here.
 */
export function createAdmission<Identity extends object | true>({
  admit,
  host,
  serverNames,
  mayList = () => true,
}: AdmissionOptions<Identity>): (request: Request) => Promise<Identity | Response> {
  const findFiles = createFileFinder(process.cwd());
  const names = new Set(["localhost", host, ...serverNames].map((name) => name.toLowerCase()));
  return async (request) => {
    const { pathname, hostname, searchParams } = new URL(request.url);
    const called = (hostOf(request.headers.get("Host")) ?? hostname).toLowerCase();
    if (!names.has(called) && isIP(called) === 0)
      return refusal(421, `This server is not ${called}: start it with --server-name ${called} if it should be`);
    const page = answerWithPage(request, pathname);
    if (page !== undefined) return page;
    if (!paths.has(pathname)) return refusal(404, `The agent is at ${endpointPath}`);
    const refused = refusal(401, "The token is missing or wrong", { "WWW-Authenticate": "Bearer" });
    const admitted = await admit(request);
    if (admitted !== undefined && pathname === helloPath) return Response.json({ cwd: process.cwd() });
    if (admitted !== undefined && pathname === filesPath)
      return mayList(admitted)
        ? findFiles(searchParams.get("query") ?? "")
        : refusal(403, "Your token is for one session");
    return admitted ?? refused;
  };
}

/** The host of a `Host` header, without its port and the brackets of IPv6. */
function hostOf(header: string | null): string | undefined {
  const [, bracketed, plain] = /^(?:\[([^\]]*)\]|([^:]*))(?::\d*)?$/u.exec(header ?? "") ?? [];
  // What is no host is no name of this server.
  return header === null ? undefined : (bracketed ?? plain ?? header);
}

function refusal(status: number, words: string, headers?: Readonly<Record<string, string>>): Response {
  return new Response(`${words}\n`, { status, headers: { "Content-Type": "text/plain; charset=utf-8", ...headers } });
}

/** The answers that depend on who asks, and by which name. */
const refusals = new Set([401, 403, 404, 421]);

/** How many different ones are printed: whoever has no token decides what is in some of them. */
const maxPrinted = 100;

/**
 * Prints each kind of request that a server refuses, once. A page that opens a WebSocket cannot see why: its browser tells
 * it no more than that the socket has closed.
 */
export function printRefusals(say: (line: string) => void): <Answer extends object>(answer: Answer) => Promise<Answer> {
  const printed = new Set<string>();
  return async (answer) => {
    if (answer instanceof Response && refusals.has(answer.status)) {
      const line = `! Refused with ${answer.status}: ${(await answer.clone().text()).trim()}`;
      if (printed.size < maxPrinted && !printed.has(line)) {
        printed.add(line);
        say(line);
      }
    }
    return answer;
  };
}
