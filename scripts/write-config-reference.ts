import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { configReference, referencePath } from './config-reference.ts';

const path = join(fileURLToPath(new URL('..', import.meta.url)), referencePath);
mkdirSync(dirname(path), { recursive: true });
writeFileSync(path, configReference());
