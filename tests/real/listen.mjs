// Servers of this machine only.

import { once } from "node:events";

/** Listens on a port that is free, and gives the address. */
export async function listen(server) {
  // A connection that is let go while it is idle would be a fault that nobody asked for.
  server.keepAliveTimeout = 0;
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return `http://127.0.0.1:${server.address().port}`;
}
