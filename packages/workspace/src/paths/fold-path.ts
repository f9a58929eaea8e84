/**
 * The segments of a path as the most forgiving file system would compare them: case, Unicode form, invisible characters,
 * trailing dots and spaces, back slashes, NTFS streams and short names are folded away. For comparing, never for opening.
 */
export function foldPath(path: string): string[] {
  return path
    .split(/[/\\]/)
    .map(foldSegment)
    .filter((segment) => segment !== '' && segment !== '.');
}

/** Nothing to fold but case: no blank, colon or invisible character anywhere, no dot at the end. Most names are so. */
const plainSegment = /^[!-9;-~]*[!-\-/-9;-~]$/;

function foldSegment(segment: string): string {
  const folded = plainSegment.test(segment) ? segment.toLowerCase() : foldStrangeSegment(segment);
  return /^git~\d+$/.test(folded) ? '.git' : folded;
}

function foldStrangeSegment(segment: string): string {
  const visible = segment.normalize('NFKC').replace(/[\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cf}]/gu, '');
  const folded = visible.toUpperCase().toLowerCase().normalize('NFKC');
  const withoutStream = folded.replace(/:.*$/s, '');
  return withoutStream.replace(/^\s+/, '').replace(/[\s.]+$/, '');
}
