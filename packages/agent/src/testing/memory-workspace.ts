import type { Workspace, WorkspaceDiff } from '@capstan/contracts';
import { digestOf } from '../digest.ts';

/** A workspace of text files in memory, with snapshots by content. */
export class MemoryWorkspace implements Workspace {
  readonly root = '/workspace';
  files: Record<string, string>;
  readonly #base: Record<string, string>;
  readonly #trees = new Map<string, Record<string, string>>();
  restores = 0;

  constructor(files: Record<string, string>) {
    this.#base = { ...files };
    this.files = { ...files };
  }

  async snapshot(): Promise<string> {
    const tree = digestOf(this.files);
    this.#trees.set(tree, { ...this.files });
    return tree;
  }

  async restore(tree: string): Promise<void> {
    const files = this.#trees.get(tree);
    if (files === undefined) throw new Error(`no snapshot ${tree}`);
    this.restores += 1;
    this.files = { ...files };
  }

  async diff(): Promise<WorkspaceDiff> {
    const paths = [...new Set([...Object.keys(this.#base), ...Object.keys(this.files)])].sort();
    const changed = paths.filter((path) => this.#base[path] !== this.files[path]);
    const changes = changed.map((path) => ({
      path,
      change:
        this.#base[path] === undefined
          ? ('added' as const)
          : this.files[path] === undefined
            ? ('deleted' as const)
            : ('modified' as const),
      trustBearing: path === 'package.json',
    }));
    const text = changed
      .map((path) => `--- ${path}\n-${this.#base[path] ?? ''}\n+${this.files[path] ?? ''}\n`)
      .join('');
    return { text, changes };
  }
}
