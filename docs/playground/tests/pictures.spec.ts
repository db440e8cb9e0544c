/** The pictures of the README and of the book. `UPDATE_PICTURES=1` writes them to `docs/images`. */

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, type Playground, test } from "./fixtures.js";

const FOLDER = join(import.meta.dirname, "../../images");

/** The largest picture, in bytes. */
const LARGEST = 150_000;

const PICTURES: readonly { readonly name: string; readonly width: number; readonly height: number; readonly colorScheme: "dark" | "light"; readonly arrange?: (playground: Playground) => Promise<void> }[] = [
  { name: "playground", width: 1180, height: 910, colorScheme: "light" },
  { name: "playground-dark", width: 1180, height: 910, colorScheme: "dark" },
  {
    name: "playground-phone",
    width: 390,
    height: 844,
    colorScheme: "light",
    arrange: (playground) => playground.page.locator("#result-heading").evaluate((heading) => heading.scrollIntoView()),
  },
];

for (const { name, width, height, colorScheme, arrange } of PICTURES) {
  test(`picture ${name}`, async ({ open, page }) => {
    await page.setViewportSize({ width, height });
    await page.emulateMedia({ colorScheme });
    const playground = await open();
    await expect(playground.schedule).toHaveText(/Success/);
    await arrange?.(playground);
    const picture = await page.screenshot({ animations: "disabled" });
    expect(picture.length).toBeLessThan(LARGEST);
    if (process.env["UPDATE_PICTURES"] !== "1") return;
    mkdirSync(FOLDER, { recursive: true });
    writeFileSync(join(FOLDER, `${name}.png`), picture);
  });
}
