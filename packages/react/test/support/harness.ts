// What the tests use, in one module for each library: esbuild puts React 18, React 19 or Preact in the place of `react`.
export * from "@acp/core";
export * from "../../src/index.ts";
export { createElement, memo, startTransition, StrictMode, useLayoutEffect, useState, version } from "react";
export { flushSync } from "react-dom";
export { createRoot } from "react-dom/client";
export { renderToString } from "react-dom/server";
