import { lookup } from 'node:dns/promises';
import { readFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { runServer } from '@capstan/tool-server';
import { openServer } from './open-server.ts';

await runServer(
  {
    name: 'http',
    version: '0.1.0',
    summary: 'reaches the hosts of an allow-list over HTTP, with secrets that models never see',
    options: {
      config: { value: 'FILE', required: true, description: 'The allow-list: see the README of this server' },
    },
    open: (given) => {
      const file = resolve(given.config);
      return openServer({
        file,
        environment: process.env,
        readFile: (path) => readFile(resolve(dirname(file), path)),
        resolve: async (hostname) => (await lookup(hostname, { all: true })).map(({ address }) => address),
      });
    },
  },
  process,
);
