import type { ReplyPart, ResourceContent, ToolLink } from './define-tool.ts';

/** A part of content as MCP carries it. */
export type WirePart =
  | { type: 'text'; text: string }
  | { type: 'image' | 'audio'; data: string; mimeType: string }
  | { type: 'resource'; resource: WireResource }
  | ({ type: 'resource_link' } & ToolLink);

export type WireResource = { uri: string; mimeType?: string } & ({ text: string } | { blob: string });

export function wirePart(part: ReplyPart): WirePart {
  if (part.type === 'resource') return { type: 'resource', resource: wireResource(part.resource) };
  return { type: part.type, data: base64(part.bytes), mimeType: part.mimeType };
}

export function wireResource(content: ResourceContent): WireResource {
  const { uri, mimeType } = content;
  const head = mimeType === undefined ? { uri } : { uri, mimeType };
  return 'text' in content ? { ...head, text: content.text } : { ...head, blob: base64(content.bytes) };
}

export function linkPart(link: ToolLink): WirePart {
  return { type: 'resource_link', ...link };
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
}
