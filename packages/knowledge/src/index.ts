export type { EndpointOptions } from './embeddings/embedding-endpoint.ts';
export { type IndexState, KnowledgeIndex, type OpenIndex, type Patience } from './knowledge-index.ts';
export { drawMap } from './map/draw-map.ts';
export { outlineFile } from './outline/outline-file.ts';
export type { OutlineSymbol } from './outline/outline-symbol.ts';
export { bestLines } from './search/best-lines.ts';
export { findText, type TextPlace } from './search/find-text.ts';
export { rankFiles } from './search/rank-files.ts';
