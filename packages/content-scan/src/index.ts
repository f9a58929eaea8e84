export { type DefinitionFinding, longestDescription, scanDefinition } from './scan-definition.ts';
export { type Finding, scanText } from './scan-text.ts';
