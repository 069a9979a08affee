import type { View } from "./detail.ts";
import { byId, element } from "./dom.ts";
import type { SessionPiece, SessionPlace } from "./session/main.ts";
import { type Texts, unpack } from "./texts.ts";
import type { Trace } from "./trace.ts";

/** Part of the lib of TypeScript from version 6.1 on. */
interface Policies {
  readonly trustedTypes?: {
    createPolicy(
      name: string,
      rules: { createScript: (code: string) => string },
    ): { createScript(code: string): string };
  };
}

/** The session as its user saw it after the chosen message. */
export function sessionView(trace: Trace, texts: Texts): View {
  let piece: Promise<SessionPiece> | undefined;
  let wanted = 0;
  return {
    name: "Session",
    async show(message) {
      const turn = ++wanted;
      if ((trace.session[message] ?? 0) === 0)
        return element("p", { class: "left-out" }, "This message belongs to no session.");
      piece ??= load(trace, texts);
      const { draw } = await piece;
      const made = await draw(message, columns(), () => wanted === turn);
      if (made === undefined) return element("p", { class: "left-out" }, "Another message was chosen.");
      // Once it is there.
      requestAnimationFrame(() =>
        (made.querySelector(".now") ?? made.lastElementChild)?.scrollIntoView({ block: "nearest" }),
      );
      return made;
    },
  };
}

/** Runs the second piece of the viewer. The policy of the page has its hash: nothing else can run there. */
async function load(trace: Trace, texts: Texts): Promise<SessionPiece> {
  const code = await unpack("session-code");
  const script = document.createElement("script");
  const { trustedTypes } = globalThis as Policies;
  const policy = trustedTypes?.createPolicy("acp-viewer", { createScript: (text) => text });
  script.textContent = policy?.createScript(code) ?? code;
  document.head.append(script);
  script.remove();
  const { acpSession } = globalThis as SessionPlace;
  if (acpSession === undefined) throw new Error("The viewer could not run the piece that shows sessions");
  return acpSession(trace, texts);
}

/** How many characters fit beside each other. */
function columns(): number {
  const probe = element("span", { class: "probe" }, "m".repeat(100));
  byId("detail").querySelector(".content")?.append(probe);
  const width = probe.offsetWidth / 100 || 8;
  probe.remove();
  return Math.max(24, Math.floor((byId("detail").clientWidth - 56) / width));
}
