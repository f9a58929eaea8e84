import type { Command, CommandParameter } from '@capstan/contracts';
import type { RepositoryReader } from '../repository-reader.ts';
import { freeWords } from './free-words.ts';

const common = { isCheck: false, directory: '.', parameters: [] };
const free: CommandParameter = { name: 'arguments', type: 'arguments', optional: true, many: true };

/** What cargo and go can do with a repository of theirs, beside their tests. */
export async function nativeCommands(reader: RepositoryReader): Promise<Command[]> {
  const names = await reader.list('.');
  return [...(names.includes('Cargo.toml') ? cargo : []), ...(names.includes('go.mod') ? go : [])];
}

const cargoCommon = { ...common, source: 'Cargo.toml' };
const cargo: readonly Command[] = [
  { id: 'cargo:build', kind: 'build', ...cargoCommon, ...freeWords(['cargo', 'build']) },
  { id: 'cargo:check', kind: 'lint', ...cargoCommon, ...freeWords(['cargo', 'check']) },
  { id: 'cargo:clippy', kind: 'lint', ...cargoCommon, ...freeWords(['cargo', 'clippy']) },
  { id: 'cargo:fmt', kind: 'lint', ...cargoCommon, ...freeWords(['cargo', 'fmt']) },
  {
    id: 'cargo:run',
    kind: 'other',
    ...cargoCommon,
    argv: ['cargo', 'run', '--bin={binary}', '--', '{arguments}'],
    parameters: [{ name: 'binary', type: 'text', optional: true, many: false }, free],
  },
];

const goCommon = { ...common, source: 'go.mod' };
const go: readonly Command[] = [
  { id: 'go:build', kind: 'build', ...goCommon, argv: ['go', 'build', './...'] },
  { id: 'go:vet', kind: 'lint', ...goCommon, argv: ['go', 'vet', './...'] },
  { id: 'go:fmt', kind: 'lint', ...goCommon, argv: ['go', 'fmt', './...'] },
  {
    id: 'go:run',
    kind: 'other',
    ...goCommon,
    argv: ['go', 'run', './{folder}', '{arguments}'],
    parameters: [{ name: 'folder', type: 'path', optional: false, many: false }, free],
  },
];
