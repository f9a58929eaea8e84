const starts = {
  'image/png': /^\x89PNG\r\n/su,
  'image/jpeg': /^\xff\xd8\xff/su,
  'image/gif': /^GIF8[79]a/su,
  'image/webp': /^RIFF.{4}WEBP/su,
} as const;

/** The kinds of images that models take. */
export type ImageType = keyof typeof starts;

/** Which kind of image bytes are, by how they begin: what a header says does not count. */
export function imageType(bytes: Buffer): ImageType | undefined {
  const start = bytes.toString('latin1', 0, 16);
  const types = Object.keys(starts) as ImageType[];
  return types.find((type) => starts[type].test(start));
}
