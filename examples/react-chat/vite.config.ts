import { defineConfig } from "vite";

export default defineConfig({
  oxc: { jsx: { runtime: "automatic" } },
  // The address that `acp serve --origin` allows.
  server: { port: 5173, strictPort: true },
});
