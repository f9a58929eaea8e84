// Loaded with --import into the process under test: writes every module that it loads to the file IMPORTS, a line each.
import { appendFileSync } from 'node:fs';
import { registerHooks } from 'node:module';

registerHooks({
  load: (url, context, next) => {
    appendFileSync(process.env.IMPORTS ?? '', `${url}\n`);
    return next(url, context);
  },
});
