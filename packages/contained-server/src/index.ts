export {
  type ContainedOptions,
  containedProgramOptions,
  readContainedOptions,
  workspaceInside,
} from './contained-options.ts';
export { withSandbox } from './with-sandbox.ts';
