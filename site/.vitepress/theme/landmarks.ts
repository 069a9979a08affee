// What the theme's elements lack for people who use a screen reader.
import { useRoute } from "vitepress";
import { nextTick, onMounted, watch } from "vue";

/**
 * The first page gets its main part, the carets of groups, which do nothing by themselves, stop being buttons in a button, and
 * the button of the search is called what it shows.
 */
function mend(): void {
  for (const button of document.querySelectorAll(".DocSearch-Button"))
    button.setAttribute("aria-label", button.textContent.trim());
  const home = document.querySelector(".VPContent.is-home");
  home?.setAttribute("role", "main");
  if (home === null) document.querySelector(".VPContent[role]")?.removeAttribute("role");
  for (const caret of document.querySelectorAll(".VPSidebarItem .item[role=button] > .caret"))
    for (const name of ["role", "tabindex", "aria-label"]) caret.removeAttribute(name);
}

/** Mends each page that is shown. */
export function useLandmarks(): void {
  const route = useRoute();
  onMounted(() => {
    mend();
    watch(
      () => route.path,
      () => void nextTick(mend),
    );
  });
}
