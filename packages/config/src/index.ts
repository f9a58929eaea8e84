export type { Config } from './config.ts';
export { type ConfigKey, configKeys } from './config-keys.ts';
export { projectTemplate, userTemplate } from './config-template.ts';
export { unknownVariables } from './environment-layer.ts';
export { flagLayer } from './flag-layer.ts';
export type { Layer } from './layer.ts';
export { describeOrigin, type Origin } from './layer.ts';
export { type ConfigFile, type LoadedConfig, loadConfig } from './load-config.ts';
export { projectFile } from './read-config-file.ts';
