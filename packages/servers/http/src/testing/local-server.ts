import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createEncrypted } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { TestCertificate } from './make-certificate.ts';

/** A test, or what else knows when a server is not needed any more. */
export interface ServerOwner {
  after(stop: () => void): void;
}

/** Starts a real server on a free port of 127.0.0.1 ; gives the port. */
export async function localServer(
  owner: ServerOwner,
  listener: RequestListener,
  certificate?: TestCertificate,
): Promise<number> {
  const server: Server =
    certificate === undefined
      ? createServer(listener)
      : createEncrypted({ key: certificate.key, cert: certificate.certificate }, listener);
  const listening = Promise.withResolvers<void>();
  server.once('error', listening.reject).listen(0, '127.0.0.1', listening.resolve);
  await listening.promise;
  owner.after(() => {
    server.close();
    server.closeAllConnections();
  });
  return (server.address() as AddressInfo).port;
}
