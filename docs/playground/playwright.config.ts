import { defineConfig } from "@playwright/test";

// Without these options, Chromium looks up hosts of its vendor at every start.
const QUIET = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"];

export default defineConfig({
  testDir: "tests",
  outputDir: "test-results",
  snapshotPathTemplate: "tests/copied/{arg}{ext}",
  workers: 2,
  fullyParallel: true,
  // Other checks run beside these, so that times say little; a failure is still sooner than the limit of the step.
  timeout: 90_000,
  expect: { timeout: 30_000 },
  reporter: "list",
  use: {
    browserName: "chromium",
    viewport: { width: 1280, height: 900 },
    launchOptions: { executablePath: process.env["CHROMIUM"] ?? "/usr/bin/chromium", args: QUIET },
    permissions: ["clipboard-read", "clipboard-write"],
  },
});
