// One name as a request and a notification, in the form of generated method maps.
import type { Notification, Request } from "@acp/schema";
import type { Handler, NotificationMethod, ParamsOf, RequestMethod } from "./methods.ts";
import type { Peer } from "./peer.ts";

interface Methods {
  readonly hop: Request<{ to: string }, { hops: number }> | Notification<{ at: number }>;
  readonly ask: Request<{ question: string }, { answer: string }>;
  readonly tell: Notification<{ text: string }>;
}

declare const peer: Peer<Methods>;

export const requests: RequestMethod<Methods>[] = ["hop", "ask"];
export const notifications: NotificationMethod<Methods>[] = ["hop", "tell"];
// @ts-expect-error tell is not a request
export const request: RequestMethod<Methods> = "tell";
// @ts-expect-error ask is not a notification
export const notification: NotificationMethod<Methods> = "ask";

export const either: ParamsOf<Methods, "hop">[] = [{ to: "a" }, { at: 1 }];
export const hops: Promise<{ hops: number }> = peer.request("hop", { to: "a" });
export const told: Promise<void> = peer.notify("hop", { at: 1 });
// @ts-expect-error the params of neither
void peer.request("hop", { into: "a" });

export const handler: Handler<Methods, "hop", object> = (params) => ({ hops: "to" in params ? 1 : params.at });
// @ts-expect-error the request has a result
export const silent: Handler<Methods, "hop", object> = () => {};
