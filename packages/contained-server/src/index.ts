export {
  type ContainedOptions,
  containedProgramOptions,
  readContainedOptions,
  workspaceInside,
} from './contained-options.ts';
export { withDefaults } from './with-defaults.ts';
