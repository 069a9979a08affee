import { once } from "node:events";
import { createServer, type IncomingHttpHeaders } from "node:http";

import { generateText } from "ai";
import { expect, onTestFinished, test } from "vitest";

import { createModel } from "./create-models.ts";
import type { ModelConfig } from "./model-config.ts";

interface Asked {
  readonly url: string | undefined;
  readonly headers: IncomingHttpHeaders;
}

/** A server that refuses every request, and notes it. */
async function serve(): Promise<{ readonly url: string; readonly asked: readonly Asked[] }> {
  const asked: Asked[] = [];
  const server = createServer(({ url, headers }, response) => {
    asked.push({ url, headers });
    response.writeHead(400, { "content-type": "application/json" }).end('{"error":{"message":"no","type":"x"}}');
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The server has no port");
  return { url: `http://127.0.0.1:${address.port}`, asked };
}

/** What a model sends to its provider. */
async function request(config: ModelConfig, env: Record<string, string>, asked: readonly Asked[]): Promise<Asked> {
  const { model } = createModel(config, env);
  await generateText({ model, prompt: "hi", maxRetries: 0 }).catch(() => {});
  return asked.at(-1) ?? expect.fail("Nothing was asked");
}

const keys = { OPENAI_API_KEY: "openai-key", ANTHROPIC_API_KEY: "anthropic-key" };

test("createModel() reaches the servers that the environment names, with their keys", async () => {
  const { url, asked } = await serve();
  const env = { ...keys, OPENAI_BASE_URL: `${url}/v1`, ANTHROPIC_BASE_URL: url };
  expect(await request({ provider: "openai", model: "m" }, env, asked)).toMatchObject({
    url: "/v1/chat/completions",
    headers: { authorization: "Bearer openai-key" },
  });
  const anthropic: ModelConfig = { provider: "anthropic", model: "m" };
  expect(await request(anthropic, env, asked)).toMatchObject({
    url: "/v1/messages",
    headers: { "x-api-key": "anthropic-key" },
  });
  const withVersion = { ...env, ANTHROPIC_BASE_URL: `${url}/v1/` };
  expect((await request(anthropic, withVersion, asked)).url).toBe("/v1/messages");
  const withToken = await request(anthropic, { ...env, ANTHROPIC_AUTH_TOKEN: "token" }, asked);
  expect(withToken.headers).toMatchObject({ authorization: "Bearer token" });
});

test("createModel() gives the usual keys to no other server", async () => {
  const { url, asked } = await serve();
  const env = { ...keys, ANTHROPIC_AUTH_TOKEN: "token-key", OTHER: "other" };
  for (const provider of ["openai", "anthropic"] as const) {
    const { headers } = await request({ provider, model: "m", baseUrl: `${url}/v1` }, env, asked);
    expect(JSON.stringify(headers)).not.toMatch(/(?:openai|anthropic|token)-key/u);
    const named = await request({ provider, model: "m", baseUrl: `${url}/v1`, keyVariable: "OTHER" }, env, asked);
    expect([named.headers.authorization, named.headers["x-api-key"]]).toContain(
      provider === "openai" ? "Bearer other" : "other",
    );
  }
});

test("createModel() names the variable of a key that is missing", () => {
  expect(() => createModel({ provider: "anthropic", model: "m" }, {})).toThrow(
    "The model anthropic/m needs a key: set ANTHROPIC_API_KEY.",
  );
  expect(() => createModel({ provider: "openai", model: "m", id: "a", keyVariable: "MINE" }, keys)).toThrow(
    "The model a needs a key: set MINE.",
  );
});

test("createModel() fills in missing settings", () => {
  expect(createModel({ provider: "anthropic", model: "m" }, keys)).toMatchObject({
    id: "anthropic/m",
    name: "anthropic/m",
    contextSize: 200_000,
    efforts: [],
    takesImages: true,
  });
  const more = { id: "i", name: "n", contextSize: 5000, maxOutputTokens: 10, efforts: ["low"], images: true } as const;
  expect(createModel({ provider: "openai", model: "m", ...more }, keys)).toMatchObject({
    id: "i",
    name: "n",
    contextSize: 5000,
    maxOutputTokens: 10,
    efforts: ["low"],
    takesImages: true,
  });
});
