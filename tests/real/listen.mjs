// Starts servers that only this machine can reach.

import { once } from "node:events";

/** Listens on a free port, and returns the address. */
export async function listen(server) {
  // Closing an idle connection would be an unintended fault.
  server.keepAliveTimeout = 0;
  // By default, connections of a crowd would be refused and tried again after a second.
  server.listen({ port: 0, host: "127.0.0.1", backlog: 4096 });
  await once(server, "listening");
  return `http://127.0.0.1:${server.address().port}`;
}
