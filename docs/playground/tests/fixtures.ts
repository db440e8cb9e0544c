/** A browser on the built page. Every test fails if the console has an error or if the page calls another host. */

import { test as base, expect, type Locator, type Page } from "@playwright/test";
import { Site } from "./site.js";

export { expect };

interface Fixtures {
  readonly site: Site;
  /** An error of the console that a test causes. */
  readonly expectedFault: RegExp | undefined;
  readonly open: (path?: string) => Promise<Playground>;
}

export const test = base.extend<Fixtures>({
  site: async ({}, use) => {
    const site = await Site.start("dist");
    await use(site);
    site.stop();
  },
  expectedFault: [undefined, { option: true }],
  open: async ({ page, site, expectedFault }, use) => {
    const faults: string[] = [];
    page.on("console", (message) => message.type() === "error" && faults.push(message.text()));
    page.on("pageerror", (error) => faults.push(error.message));
    page.on("request", (request) => {
      const isOwn = request.url().startsWith(site.url) || request.url().startsWith("data:");
      if (!isOwn || request.method() !== "GET" || request.postData() !== null) faults.push(`${request.method()} ${request.url()}`);
    });
    await use(async (path = "") => {
      await page.goto(site.url + path);
      await page.locator("main:not([inert]), .unsupported").first().waitFor({ state: "attached" });
      return new Playground(page);
    });
    expect(faults.filter((fault) => !expectedFault?.test(fault))).toEqual([]);
  },
});

/** What a user sees and does. */
export class Playground {
  readonly page: Page;
  readonly verdict: Locator;
  readonly acceptors: Locator;
  readonly code: Locator;
  readonly schedule: Locator;
  readonly change: Locator;

  constructor(page: Page) {
    this.page = page;
    this.verdict = page.locator("#verdict");
    this.acceptors = page.locator("#acceptors button");
    this.code = page.locator("#code");
    this.schedule = page.locator("#schedule");
    this.change = page.getByRole("slider", { name: "Time of the change" });
  }

  button(name: string): Locator {
    return this.page.getByRole("button", { name, exact: true });
  }

  editor(name: "Definition" | "Response" | "Input of the operation"): Locator {
    return this.page.getByRole("textbox", { name, exact: true });
  }

  field(label: string): Locator {
    // A section can have the same name.
    return this.page.getByLabel(label, { exact: true }).and(this.page.locator("input, select"));
  }

  /** Replaces the text of an editor as a paste does. */
  async paste(name: "Definition" | "Response" | "Input of the operation", text: string): Promise<void> {
    const editor = this.editor(name);
    await editor.focus();
    await this.page.keyboard.press("ControlOrMeta+A");
    await editor.evaluate((element, pasted) => {
      const clipboardData = new DataTransfer();
      clipboardData.setData("text/plain", pasted);
      element.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
    }, text);
  }

  async pasteDefinition(definition: object): Promise<void> {
    await this.paste("Definition", JSON.stringify(definition, null, 2));
  }

  async pasteResponse(response: unknown): Promise<void> {
    await this.paste("Response", JSON.stringify(response, null, 2));
  }

  /** Returns the highlighted parts of the response. */
  async parts(kind: "read" | "selected"): Promise<string[]> {
    const marks = this.page.locator(`#response .part-${kind}`);
    // A mark is split where the colour of the text changes.
    return (await marks.count()) === 0 ? [] : await marks.allTextContents();
  }
}

export function outputIs(path: string, expected: string, comparator = "stringEquals"): object {
  return { output: { path, expected, comparator } };
}
