export * from './check-relative-path.ts';
export * from './classify-path.ts';
export * from './error-code.ts';
export { foldPath } from './fold-path.ts';
export { type OpenFile, openFileIn, openInside, readFileAtOnce, readToEnd } from './open-file.ts';
export { denied, Folder, type FolderOptions, isDenied, openFolderInside } from './open-folder.ts';
export * from './protected-paths.ts';
export { type FileStamp, readFileIn, stampIn } from './read-file-in.ts';
export * from './refusal.ts';
