import { defineConfig } from "vite";

export default defineConfig({
  // The built page works in any folder of a site.
  base: "./",
  // The entry `smithy-waiters/asset` finds the engine beside its own file.
  optimizeDeps: { exclude: ["smithy-waiters"] },
  worker: { format: "es" },
  build: { target: "es2022", modulePreload: false, chunkSizeWarningLimit: 1000 },
});
