export {
  type ContainedOptions,
  containedProgramOptions,
  readContainedOptions,
  workspaceInside,
} from './contained-options.ts';
