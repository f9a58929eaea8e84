export * from './define-tool.ts';
export * from './describe-tool.ts';
export * from './serve-tools.ts';
