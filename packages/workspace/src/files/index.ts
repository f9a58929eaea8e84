export * from './apply-edit.ts';
export * from './digest.ts';
export { compileGlob } from './glob.ts';
export * from './line-ends.ts';
export * from './read-file.ts';
export * from './text-file.ts';
export * from './unified-diff.ts';
export * from './walk-files.ts';
export * from './write-file.ts';
