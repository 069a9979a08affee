// Fonts of the reader's system: nothing to wait for, and nothing to load.
import { defineAsyncComponent, h } from "vue";
import type { Theme } from "vitepress";
import DefaultTheme from "vitepress/theme-without-fonts";

import terminal from "../../../docs/acp.svg";
import { useLandmarks } from "./landmarks.ts";
import "./style.css";

/** The first page shows what `acp` looks like. */
const picture = () =>
  h("img", {
    class: "VPImage terminal",
    src: terminal,
    alt: "A chat with an agent in a terminal",
    width: 842,
    height: 698,
  });

export default {
  extends: DefaultTheme,
  Layout: () => h(DefaultTheme.Layout, null, { "home-hero-image": picture }),
  enhanceApp: ({ app }) =>
    void app.component(
      "Playground",
      defineAsyncComponent(() => import("./Playground.vue")),
    ),
  setup: useLandmarks,
} satisfies Theme;
