import { defineConfig } from "vite";

import { thirdPartyLicenses } from "../../tools/third-party-licenses.mjs";

export default defineConfig({
  base: "./",
  plugins: [thirdPartyLicenses("THIRD-PARTY-LICENSES.txt")],
  // The page is written for React, and runs on Preact, which is a tenth of it.
  resolve: {
    alias: {
      "react/jsx-runtime": "preact/jsx-runtime",
      "react-dom/client": "preact/compat/client",
      react: "preact/compat",
    },
  },
  oxc: { jsx: { runtime: "automatic" } },
  // The policy of the server allows no code and no pictures within the page.
  build: { assetsInlineLimit: 0, modulePreload: false, target: "es2022", assetsDir: "" },
});
