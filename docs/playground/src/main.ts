/** Starts the engine, and beside it the page. */

import { startEngine } from "./engine.js";

if (typeof WebAssembly === "undefined") {
  document.body.classList.add("unsupported");
  const notice = document.getElementById("notice")!;
  notice.hidden = false;
  notice.textContent = "This page needs WebAssembly, which this browser does not have or has switched off. Use a current version of Chrome, Edge, Firefox or Safari.";
} else {
  const engine = startEngine();
  const { Page } = await import("./page.js");
  new Page(engine);
  // What was typed before would be lost.
  document.querySelector("main")!.inert = false;
}
