/** Lives the story with a server over HTTP and over a WebSocket, on any runtime; prints both outcomes as JSON. */
import process from "node:process";

import { createWebSocketTransport, type WebSocketLike } from "@acp/core";
import { createHttpTransport } from "@acp/http";
import { WebSocket as WebSocketOfPackage } from "ws";

import { liveStory } from "../../../support/http/toolkit-story.ts";

/** Node 20 has none. */
const Socket: new (url: string) => WebSocketLike = typeof WebSocket === "function" ? WebSocket : WebSocketOfPackage;
const open = (url: string): WebSocketLike => new Socket(url);

const host = `127.0.0.1:${process.argv[2]}`;
const http = await liveStory(createHttpTransport(`http://${host}/acp`));
const socket = await liveStory(createWebSocketTransport(`ws://${host}/acp`, { open }));
console.log(JSON.stringify({ http, socket }));
