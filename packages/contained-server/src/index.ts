export { type ContainedOptions, readContainedOptions, workspaceInside } from './contained-options.ts';
